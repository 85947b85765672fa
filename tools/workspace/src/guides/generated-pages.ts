import { renderedChangelog } from './rendered-changelog.js';
import { renderedEvents } from './rendered-events.js';
import { renderedGuides } from './rendered-guides.js';

/** What the developer portal takes from pages of the repository: the contents of its files, by their path. */
export const generatedPages = (): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ['apps/portal/src/guides/generated/guides.json', renderedGuides()],
    ['apps/portal/src/changelog/generated/changelog.json', renderedChangelog()],
    ['apps/portal/src/events/generated/published.json', renderedEvents()],
  ]);
