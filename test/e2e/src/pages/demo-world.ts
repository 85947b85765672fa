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
export const demoWorld = async (): Promise<DemoWorld> => {
  const urls = process.env.XS2A_LANE_DEMO_URLS?.split(' ');
  const demo = urls?.[Number(process.env.JEST_WORKER_ID ?? 1) - 1];
  if (demo !== undefined) return { world: await World.ofLane(), demo };
  const world = await World.start(undefined, 'sandbox', true);
  return { world, demo: world.sandbox.demoTppUrl ?? '' };
};
