import type { NatsConnection } from '@nats-io/transport-node';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { profileBucket, profileKey } from '@xs2a/contracts/switch-over/profile-bucket';
import type { Profile } from '@xs2a/domain/profile/profile';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { openBucket } from '@xs2a/nats/buckets';
import { connectStreams } from '@xs2a/nats/connection';
import { startNatsWithAssets } from '@xs2a/nats/testing/nats-with-assets';
import { until } from '@xs2a/nats/testing/until';
import { createLogger } from '@xs2a/observability/logger';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { followProfile } from './followed-profile.js';
import { root } from './release.js';

const file = join(root, 'deploy/profiles/sandbox.json');
const logger = createLogger('test', 'silent');
const folder = mkdtempSync(join(tmpdir(), 'xs2a-followed-profile-'));
let server: Awaited<ReturnType<typeof startNatsWithAssets>>;
let nats: NatsConnection;
let stopping: AbortController;
beforeEach(async () => {
  server = await startNatsWithAssets({ dataDir: folder });
  nats = await connectStreams(server.url, 'test', logger);
  stopping = new AbortController();
});
afterEach(async () => {
  stopping.abort();
  await nats.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const announce = async (levEnd: string): Promise<void> => {
  const bucket = await openBucket(nats, profileBucket);
  await bucket.put(profileKey, JSON.stringify({ name: 'bg-euro', levEnd }));
};
const follow = async (profile: Profile, check?: (target: Profile) => void): Promise<void> =>
  followProfile(nats, { profile, file, logger, ...(check === undefined ? {} : { check }) }, stopping.signal);

describe('the profile of a process when the bank switches to euro (contract-euro E6.1)', () => {
  it('becomes the announced one, with the day of the switch-over', async () => {
    const profile = { ...makeProfile('sandbox') };
    await follow(profile);
    await announce('2026-12-01');
    await until(() => expect(profile).toMatchObject({ name: 'bg-euro', levEnd: '2026-12-01' }));
  });

  it('stays the former one while the process cannot work with the announced one', async () => {
    const profile = { ...makeProfile('sandbox') };
    const refused: string[] = [];
    await follow(profile, ({ levEnd = '' }) => {
      refused.push(levEnd);
      if (levEnd === '2026-12-01') throw new Error('a picture is missing');
    });
    await announce('2026-12-01');
    await until(() => expect(refused).toEqual(['2026-12-01']));
    expect(profile.name).toBe('sandbox');
    await announce('2026-12-02');
    await until(() => expect(profile).toMatchObject({ name: 'bg-euro', levEnd: '2026-12-02' }));
  });
});
