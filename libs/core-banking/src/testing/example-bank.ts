import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type BankSample, readSample } from '../conformance/sample.js';

const folder = new URL('../../../../docs/how-to/example-core-bank/', import.meta.url);

/** The people and accounts of the example bank. */
export const exampleSample: BankSample = readSample(
  JSON.parse(readFileSync(new URL('sample.json', folder), 'utf8')),
);

/** A one-time code as delivered to the PSU. */
interface DeliveredOtp {
  readonly psuId: string;
  readonly code: string;
  readonly language: string;
}
export interface ExampleBank {
  /**
   * Returns the next one-time code that was delivered but not yet read; if there is none, waits for the next
   * delivery.
   */
  nextOtp(): Promise<DeliveredOtp>;
  /** Converts its accounts into euro. */
  convert(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

/** Starts the example from docs/how-to as a separate process, and waits until it has subscribed to NATS. */
export const startExampleBank = async (natsUrl: string): Promise<ExampleBank> => {
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(new URL('main.mjs', folder))], {
    env: { PATH: process.env.PATH, NATS_URL: natsUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const otps: DeliveredOtp[] = [];
  const waiting: ((otp: DeliveredOtp) => void)[] = [];
  const deliver = (otp: DeliveredOtp): void => {
    const next = waiting.shift();
    if (next === undefined) otps.push(otp);
    else next(otp);
  };
  const converted = Promise.withResolvers<void>();
  if (child.stdout === null) throw new Error('the example bank has no output');
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line === 'ready') resolve();
      else if (line === 'converted') converted.resolve();
      else deliver((JSON.parse(line) as { readonly otp: DeliveredOtp }).otp);
    });
    void exited.then(() => reject(new Error('the example bank ended')));
  });
  return {
    nextOtp: () =>
      new Promise((resolve) => {
        const otp = otps.shift();
        if (otp === undefined) waiting.push(resolve);
        else resolve(otp);
      }),
    convert: async () => {
      child.kill('SIGUSR2');
      await Promise.race([
        converted.promise,
        exited.then(() => {
          throw new Error('the example bank ended');
        }),
      ]);
    },
    kill: (signal) => void child.kill(signal),
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
