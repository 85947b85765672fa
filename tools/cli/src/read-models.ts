import { definedProjections, projectionHome } from '@xs2a/chaos/projection-check';
import { readProfile } from '@xs2a/runtime/profile-file';
import type { Projection } from '@xs2a/event-store/projection';
import { listProjections } from '@xs2a/event-store/projection-builds';
import {
  rebuildProjection,
  type RebuildOptions,
  RebuildUnderWay,
} from '@xs2a/event-store/projection-rebuild';
import { root } from '@xs2a/sandbox/layout';
import { join } from 'node:path';
import type { Connections } from './connections.js';
import { columns, counted, type Output } from './output.js';
import { Refusal } from './refusal.js';

/** The bank's time zone, from the profile that runs. */
export const timeZoneOf = ({ profile }: Connections): string =>
  readProfile(join(root, `deploy/profiles/${profile}.json`)).timeZone;

export interface ProjectionStanding {
  readonly name: string;
  readonly purpose: string;
  /** Of the table that readers see, and of the code; another one means that it has to be rebuilt. */
  readonly version: number;
  readonly definedVersion: number | null;
  readonly build: number;
  readonly live: boolean;
  readonly pos: number;
  /** Positions behind the log. */
  readonly behind: number;
}

export const projectionStandings = async (connections: Connections): Promise<ProjectionStanding[]> => {
  const defined = await definedProjections(timeZoneOf(connections));
  const builds = await listProjections(connections.pool('payments'));
  return builds.map(({ name, version, build, live, pos, behind }) => {
    const definition = defined.find((one) => one.name === name);
    const definedVersion = definition?.version ?? null;
    return { name, purpose: definition?.purpose ?? '', version, definedVersion, build, live, pos, behind };
  });
};

export const projectionsText = (standings: readonly ProjectionStanding[]): string =>
  columns(
    ['projection', 'state', 'position', 'behind', 'version', 'what for'],
    standings.map(({ name, live, pos, behind, version, definedVersion, purpose }) => {
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

/** Builds a projection anew beside the one that is read, and switches. Throws {@link Refusal} when it cannot. */
export const rebuild = async (
  connections: Connections,
  output: Output,
  name: string,
  signal: AbortSignal,
): Promise<void> => {
  const defined = await definedProjections(timeZoneOf(connections));
  const projection = defined.find((one) => one.name === name);
  if (projection === undefined) {
    const names = defined.map((one) => one.name).join(', ');
    throw new Refusal(`There is no projection ${name}. There are: ${names}.`, 2);
  }
  try {
    const rebuilt = await rebuildProjection({
      ...rebuilding(connections, projection),
      onProgress: (progress) => output.progress(progress),
      signal,
    });
    output.progressEnds();
    const { events, seconds, resumedAt, build } = rebuilt;
    const resumed = resumedAt === 0 ? '' : `, taken up at position ${resumedAt}`;
    output.show(
      { name, ...rebuilt },
      `${name} is rebuilt: ${counted(events, 'event')} in ${seconds.toFixed(1)} s${resumed}; readers see build ${build}`,
    );
  } catch (error) {
    output.progressEnds();
    if (error instanceof RebuildUnderWay) throw new Refusal(`${error.message}. Wait for that one to end.`);
    if (signal.aborted) {
      throw new Refusal(
        `Interrupted; readers see what they saw before. To go on: npm run xs2a -- projections rebuild ${name}`,
      );
    }
    throw error;
  }
};
