import { readText } from '../sources.js';
import { renderMarkdown } from './render-guide.js';

const file = 'docs/events/README.md';

/** Returns what the page about published events says after its title and its origin, as HTML, line by line. */
export const renderedEvents = (): readonly string[] => {
  const text = readText(file);
  const start = text.indexOf('Every event is');
  if (start < 0) throw new Error(`${file} does not say what every event is`);
  return renderMarkdown(text.slice(start).replaceAll(/^## /gm, '### '), file).lines;
};
