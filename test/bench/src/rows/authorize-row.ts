import { PsuBrowser } from '@xs2a/sandbox/tpp/psu-browser';
import { walkAndApprove } from '@xs2a/sandbox/tpp/psu-walk';
import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { BenchWorld } from '../world/bench-world.js';
import type { FigureOptions, FigureRow, Found } from '../figure.js';
import { summarise } from '../load/latency.js';

const walkers = 4;
/** The argon2id parameters of the sandbox bank's passwords (OWASP's first choice). Each flow checks one password. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const derive = promisify(argon2);

/** Repeats on so many walkers until the time is over; answers how long each took, in ms. */
const repeat = async (seconds: number, once: (walker: number) => Promise<void>) => {
  const begun = performance.now();
  const latencies: number[] = [];
  const walk = async (walker: number): Promise<void> => {
    for (let at = performance.now(); at < begun + seconds * 1000; at = performance.now()) {
      await once(walker);
      latencies.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: walkers }, async (_none, walker) => walk(walker)));
  return summarise(latencies, (performance.now() - begun) / 1000);
};

/** From /oauth2/authorize through sign-in, review and code to both tokens, beside bare argon2id of the same cost. */
const measureFlow = async (options: FigureOptions): Promise<Found> => {
  const { seconds, warmUpSeconds } = options;
  const world = await BenchWorld.start(options);
  try {
    const psus = await Promise.all(Array.from({ length: walkers }, async () => world.psu(1)));
    const flow = async (walker: number): Promise<void> => {
      const psu = psus[walker];
      if (psu === undefined) throw new Error('more walkers than PSUs');
      const request = world.tpp.authorizationRequest('PSP_IC');
      const browser = new PsuBrowser();
      await walkAndApprove(browser, request.url, psu);
      await world.tpp.redeem(world.tpp.parseCode(browser.leftTo, request), request);
    };
    await repeat(warmUpSeconds, flow);
    const flows = await repeat(seconds, flow);
    const password = { ...cost, message: Buffer.from('a password'), nonce: randomBytes(16) };
    const bare = await repeat(seconds, async () => {
      await derive('argon2id', password);
    });
    return {
      value: flows.perSecond,
      perSecond: flows.perSecond,
      p50: flows.p50,
      p99: flows.p99,
      ratio: flows.perSecond / bare.perSecond,
      notes: [
        `${walkers} PSUs at the same time, each in a browser of its own: about ten requests and one argon2id (19 MiB, two passes) a flow; argon2id alone: ${bare.perSecond.toFixed(0)}/s. The ratio is to that, not to the bare hop`,
      ],
    };
  } finally {
    await world.stop();
  }
};

export const authorizeRow: FigureRow = {
  name: 'authorize',
  title: 'authorize → pages → tokens',
  targets: { sandbox: { atLeast: 1, unit: '/s' } },
  measure: measureFlow,
};
