import { World } from '@xs2a/test-support/world';

export interface DemoWorld {
  readonly world: World;
  /** The URL of the demo TPP. */
  readonly demo: string;
}

/**
 * Returns the lane's sandbox with its demo TPP or, without lanes, a sandbox and demo TPP started only for this
 * file.
 */
export const demoWorld = async (profile: 'sandbox' | 'bg-euro' = 'sandbox'): Promise<DemoWorld> => {
  const urls = process.env.XS2A_LANE_DEMO_URLS?.split(' ');
  const demo = urls?.[Number(process.env.JEST_WORKER_ID ?? 1) - 1];
  if (demo !== undefined && process.env.XS2A_LANE_PROFILE === profile)
    return { world: await World.ofLane(profile), demo };
  const world = await World.start(undefined, profile, true);
  return { world, demo: world.sandbox.demoTppUrl ?? '' };
};
