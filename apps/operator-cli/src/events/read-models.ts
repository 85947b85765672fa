import { projectionHome, listStatusViews } from '@xs2a/invariants/projection-check';
import type { EventResource } from '@xs2a/contracts/published-event';
import { readProfile } from '@xs2a/runtime/profile-file';
import { rebuildInlineView } from '@xs2a/event-store/projections/inline-view-rebuild';
import type { Projection } from '@xs2a/event-store/projections/projection';
import { listProjections } from '@xs2a/event-store/projections/builds';
import {
  rebuildProjection,
  type RebuildOptions,
  RebuildUnderWay,
} from '@xs2a/event-store/projections/rebuild';
import { resources } from '@xs2a/event-store/resources';
import type { Connections } from '../connections.js';
import { mustHaveMasterKeys } from '../personal-data.js';
import { readModels } from './defined-read-models.js';
import { resourceNames } from './tail.js';
import { columns, counted, type Output } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { xs2a } from '../command-line/own-name.js';

/** The bank's time zone, from the profile that runs. */
export const readTimeZone = ({ profileFile }: Connections): string => readProfile(profileFile).timeZone;

export interface ProjectionStatus {
  readonly name: string;
  readonly purpose: string;
  /** Version of the table that readers see; when the code's is another one, the read model has to be rebuilt. */
  readonly version: number;
  readonly definedVersion: number | null;
  readonly build: number;
  readonly live: boolean;
  readonly pos: number;
  /** Positions behind the log. */
  readonly behind: number;
}

export const projectionStatuses = async (connections: Connections): Promise<ProjectionStatus[]> => {
  const defined = readModels.paymentProjections(readTimeZone(connections));
  const builds = await listProjections(connections.pool('payments'));
  return builds.map(({ name, version, build, live, pos, behind }) => {
    const definition = defined.find((one) => one.name === name);
    const definedVersion = definition?.version ?? null;
    return { name, purpose: definition?.purpose ?? '', version, definedVersion, build, live, pos, behind };
  });
};

export const projectionsText = (statuses: readonly ProjectionStatus[]): string =>
  columns(
    ['projection', 'state', 'position', 'behind', 'version', 'what for'],
    statuses.map(({ name, live, pos, behind, version, definedVersion, purpose }) => {
      const outdated = live && version !== definedVersion;
      return [
        name,
        live ? 'live' : 'being built',
        pos,
        behind,
        `${version}${outdated ? ' (outdated)' : ''}`,
        purpose,
      ];
    }),
  );

const rebuilding = (connections: Connections, projection: Projection): RebuildOptions => ({
  ...projectionHome,
  pool: connections.pool('payments'),
  projection,
});

const interrupted = (what: string, name: string): Refusal =>
  new Refusal(`Interrupted; ${what}. To go on: ${xs2a(`projections rebuild ${name}`)}`);

/** Rewrites the rows of a status view that differ from the events; services keep reading and writing it meanwhile. */
const repairStatusView = async (
  connections: Connections,
  output: Output,
  { resource, table: name }: { readonly resource: EventResource; readonly table: string },
  signal: AbortSignal,
): Promise<void> => {
  const pool = connections.pool(resource);
  const { rows } = await pool.query<{ total: number }>('SELECT coalesce(max(pos), 0) AS total FROM log');
  const total = rows[0]?.total ?? 0;
  const begun = performance.now();
  const views = listStatusViews(
    readModels,
    resource,
    readTimeZone(connections),
    await mustHaveMasterKeys(connections, resource),
  );
  const view = views.find(({ folding }) => folding.view.table === name);
  if (view === undefined) throw new Error(`${resource} has no status view ${name}.`);
  const onProgress = (done: number): void => {
    const perSecond = (done * 1000) / (performance.now() - begun);
    output.progress({
      done,
      total: Math.max(done, total),
      perSecond,
      secondsLeft: (total - done) / perSecond,
    });
  };
  try {
    const { written, left } = await rebuildInlineView(pool, view, { onProgress, signal });
    output.progressEnds();
    const result = { name, mended: written, left: left.map(({ streamId }) => streamId) };
    const [first] = left;
    const isRight = first === undefined ? `${name} matches its events: ` : '';
    output.show(result, `${isRight}${counted(written, 'row')} rewritten`);
    if (first === undefined) return;
    throw new Refusal(
      `${counted(left.length, 'row')} of ${name} cannot be derived from events, ${first.streamId} first. Run: ${xs2a('events verify')}`,
    );
  } catch (error) {
    output.progressEnds();
    if (signal.aborted) throw interrupted('rows that were rewritten stay', name);
    throw error;
  }
};

/**
 * Builds a projection again in a second table, and switches; repairs a status view in place. Throws {@link Refusal}
 * when it cannot.
 */
export const rebuild = async (
  connections: Connections,
  output: Output,
  name: string,
  signal: AbortSignal,
): Promise<void> => {
  const statusViews = resourceNames.flatMap((resource) =>
    resources[resource].views.map(({ table }) => ({ resource, table })),
  );
  const statusView = statusViews.find(({ table }) => table === name);
  if (statusView !== undefined) return repairStatusView(connections, output, statusView, signal);
  const defined = readModels.paymentProjections(readTimeZone(connections));
  const projection = defined.find((one) => one.name === name);
  if (projection === undefined) {
    const names = [...defined.map((one) => one.name), ...statusViews.map(({ table }) => table)];
    throw new Refusal(`There is no projection ${name}. There are: ${names.join(', ')}.`, 2);
  }
  try {
    const rebuilt = await rebuildProjection({
      ...rebuilding(connections, projection),
      onProgress: (progress) => output.progress(progress),
      signal,
    });
    output.progressEnds();
    const { events, seconds, resumedAt, build } = rebuilt;
    const resumed = resumedAt === 0 ? '' : `, resumed at position ${resumedAt}`;
    output.show(
      { name, ...rebuilt },
      `${name} is rebuilt: ${counted(events, 'event')} in ${seconds.toFixed(1)} s${resumed}; readers see build ${build}`,
    );
  } catch (error) {
    output.progressEnds();
    if (error instanceof RebuildUnderWay) throw new Refusal(`${error.message}. Wait for it to end.`);
    if (signal.aborted) throw interrupted('readers see the old table', name);
    throw error;
  }
};
