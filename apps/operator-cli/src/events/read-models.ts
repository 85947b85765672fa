import * as consents from '@xs2a/consents/read-models';
import { listStatusViews, type ReadModels } from '@xs2a/invariants/projection-check';
import * as payments from '@xs2a/payments/read-models';
import type { EventResource } from '@xs2a/contracts/event-streams';
import { readProfile } from '@xs2a/runtime/profile-file';
import { rebuildInlineView } from '@xs2a/event-store/projections/inline-view-rebuild';
import { listProjections } from '@xs2a/event-store/projections/checkpoints';
import { readModelReport, recordRebuild } from '@xs2a/event-store/projections/read-model-report';
import { rebuildProjection, RebuildUnderWay } from '@xs2a/event-store/projections/rebuild';
import { resources } from '@xs2a/resources/resources';
import { logHead } from '@xs2a/event-store/recovery/log-gaps';
import type { Connections } from '../connections.js';
import { resourceNames } from './resource-option.js';
import { defineCommand } from '../command-line/define-command.js';
import { argument } from '../command-line/options.js';
import { counted, table, type Output } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { xs2a } from '../command-line/own-name.js';

/** The read models of this release. */
export const readModels: ReadModels = { ...payments, ...consents };

/** Returns the bank's time zone from the active profile. */
export const readTimeZone = ({ profileFile }: Connections): string => readProfile(profileFile).timeZone;

/** Returns the status views of a resource. Throws {@link Refusal} if its master keys are not configured. */
export const statusViews = async (connections: Connections, resource: EventResource) =>
  listStatusViews(
    readModels,
    resource,
    readTimeZone(connections),
    await connections.mustHaveMasterKeys(resource),
  );

export interface ProjectionStatus {
  readonly name: string;
  readonly purpose: string;
  /**
   * The version of the rows. If the code has a different version, the read model must be rebuilt; 0 if a rebuild did
   * not finish.
   */
  readonly version: number;
  readonly definedVersion: number | null;
  readonly pos: number;
  /** The number of positions by which the read model is behind the log. */
  readonly behind: number;
}

export const projectionStatuses = async (connections: Connections): Promise<ProjectionStatus[]> => {
  const defined = readModels.paymentProjections(readTimeZone(connections));
  const checkpoints = await listProjections(connections.pool('payments'));
  return checkpoints.map(({ name, version, pos, behind }) => {
    const definition = defined.find((one) => one.name === name);
    const definedVersion = definition?.version ?? null;
    return { name, purpose: definition?.purpose ?? '', version, definedVersion, pos, behind };
  });
};

/** Returns the status of all projections and status views. A status view has no version, because each of its rows has one. */
const readModelStatuses = async (connections: Connections) => {
  const defined = readModels.paymentProjections(readTimeZone(connections));
  const reports = await Promise.all(
    resourceNames.map(async (resource) =>
      readModelReport(connections.pool(resource), {
        projections: resource === 'payments' ? defined : [],
        views: resources[resource].views.map((view) => view.table),
      }),
    ),
  );
  return reports.flat().map(({ name, version = null, pos, behind, rebuiltAt = null }) => {
    const definition = defined.find((one) => one.name === name);
    const purpose = version === null ? 'state, written with each event' : (definition?.purpose ?? '');
    return { name, purpose, version, definedVersion: definition?.version ?? null, pos, behind, rebuiltAt };
  });
};

export const listProjectionsCommand = defineCommand({
  name: 'list',
  help: 'all read models, how far each has read, and when it was last rebuilt',
  run: async ({ connections }) => readModelStatuses(connections),
  text: (statuses) =>
    table(statuses, {
      'read model': ({ name }) => name,
      position: ({ pos }) => pos,
      behind: ({ behind }) => behind,
      rebuilt: ({ rebuiltAt }) => rebuiltAt ?? '–',
      version: ({ version, definedVersion }) =>
        version === null ? '–' : `${version}${version === definedVersion ? '' : ' (outdated)'}`,
      purpose: ({ purpose }) => purpose,
    }),
});

const interrupted = (what: string, name: string): Refusal =>
  new Refusal(`Interrupted; ${what}. To continue: ${xs2a(`projections rebuild ${name}`)}`);

/**
 * Rewrites the rows of a status view that differ from the events, while services continue to read and write the
 * view.
 */
const repairStatusView = async (
  connections: Connections,
  output: Output,
  { resource, table: name }: { readonly resource: EventResource; readonly table: string },
  signal: AbortSignal,
): Promise<void> => {
  const pool = connections.pool(resource);
  const total = await logHead(pool);
  const show = output.measure();
  const views = await statusViews(connections, resource);
  const view = views.find(({ folding }) => folding.view.table === name);
  if (view === undefined) throw new Error(`${resource} has no status view ${name}.`);
  try {
    const { written, left } = await rebuildInlineView(pool, view, {
      onProgress: (done) => show(done, total),
      signal,
    });
    const [first] = left;
    if (first === undefined) await recordRebuild(pool, name);
    const isRight = first === undefined ? `${name} matches its events: ` : '';
    output.show(
      { name, mended: written, left: left.map(({ streamId }) => streamId) },
      `${isRight}${counted(written, 'row')} rewritten`,
    );
    if (first === undefined) return;
    throw new Refusal(
      `${counted(left.length, 'row')} of ${name} cannot be derived from events, starting with ${first.streamId}. Run: ${xs2a('events verify')}`,
    );
  } catch (error) {
    if (signal.aborted) throw interrupted('rows that were already rewritten are kept', name);
    throw error;
  }
};

/**
 * The command that rebuilds a projection month by month, or repairs a status view in place.
 */
export const rebuildCommand = defineCommand({
  name: 'rebuild',
  help: 'rebuilds a read model from its events while services run; may be interrupted and repeated',
  options: { name: argument('as shown by `list`, or the name of a status view') },
  run: async ({ connections, output, options: { name }, interrupted: untilInterrupted }) => {
    const signal = untilInterrupted();
    const repairable = resourceNames.flatMap((resource) =>
      resources[resource].views.map(({ table: view }) => ({ resource, table: view })),
    );
    const statusView = repairable.find((view) => view.table === name);
    if (statusView !== undefined) return repairStatusView(connections, output, statusView, signal);
    const defined = readModels.paymentProjections(readTimeZone(connections));
    const projection = defined.find((one) => one.name === name);
    if (projection === undefined) {
      const names = [...defined.map((one) => one.name), ...repairable.map((view) => view.table)];
      throw new Refusal(`There is no projection ${name}. Known projections: ${names.join(', ')}.`, 2);
    }
    try {
      const rebuilt = await rebuildProjection({
        pool: connections.pool('payments'),
        projection,
        types: resources.payments.types,
        onProgress: (progress) => output.progress(progress),
        signal,
      });
      await recordRebuild(connections.pool('payments'), name);
      const { events, seconds, kept } = rebuilt;
      const months =
        kept.length === 0 ? '' : `; the rows of archived months stay as they are: ${kept.join(', ')}`;
      output.show(
        { name, ...rebuilt },
        `${name} is rebuilt: ${counted(events, 'event')} in ${seconds.toFixed(1)} s${months}`,
      );
    } catch (error) {
      if (error instanceof RebuildUnderWay)
        throw new Refusal(`${error.message}. Wait until it has finished.`);
      if (signal.aborted) throw interrupted('months that were already rebuilt stay so', name);
      throw error;
    }
  },
});
