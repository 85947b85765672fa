import { bankChecks } from '@xs2a/core-banking/conformance/checks';
import { type BankSample, readSample, type Trial } from '@xs2a/core-banking/conformance/sample';
import { BankClient } from '@xs2a/core-banking/nats/bank-client';
import { natsBank } from '@xs2a/core-banking/nats/nats-bank';
import { connectAs } from '@xs2a/nats/connection';
import { parseCredentials } from '@xs2a/nats/nats-url';
import { CallClient } from '@xs2a/calls/client';
import { Clock } from '@xs2a/runtime/clock';
import { newId } from '@xs2a/runtime/ids';
import { readFileSync } from 'node:fs';
import type { Output } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';

export interface CheckedPromise {
  readonly promise: string;
  readonly kept: boolean;
  /** The actual result if it differs from the expected one. */
  readonly seen: string | null;
}

const answerWithinMs = 5000;
/**
 * The first lines of an assertion contain the expected and the actual value; the rest is a diff of the complete
 * responses.
 */
const seenIn = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n').slice(0, 8).join('\n    ').trim();

const sampleIn = (file: string): BankSample => {
  try {
    return readSample(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Refusal(
      `${file}: ${(error as Error).message}. See docs/how-to/example-core-bank/sample.json.`,
      2,
    );
  }
};

/** Verifies that a bank that answers over NATS keeps the promises of the core-banking port. */
export async function* checkAdapter(
  { natsUrl, sample }: { readonly natsUrl: string; readonly sample: string },
  output: Output,
): AsyncGenerator<CheckedPromise> {
  const clock = new Clock(false);
  const people = sampleIn(sample);
  const nats = await connectAs(parseCredentials(natsUrl), {
    name: 'xs2a-adapter-check',
    timeout: 3000,
  }).catch((error: unknown) => {
    throw new Refusal(`NATS cannot be reached at --nats-url: ${(error as Error).message}`);
  });
  try {
    const faults: string[] = [];
    const client = new BankClient(new CallClient(nats, clock), {
      warn: (said: unknown) => {
        const { subject, code, detail } = said as Readonly<Record<string, string>>;
        faults.push(`${subject}: ${code}: ${detail}`);
      },
    });
    const trial: Trial = {
      bank: natsBank(client, async () => people.levEnd),
      sample: people,
      call: () => ({
        requestId: newId(),
        at: clock.now(),
        deadline: performance.now() + answerWithinMs,
      }),
      newPaymentId: newId,
    };
    let broken = 0;
    for (const { title, run } of bankChecks) {
      const result = await run(trial).then(
        (): CheckedPromise => ({ promise: title, kept: true, seen: null }),
        (error: unknown): CheckedPromise => ({
          promise: title,
          kept: false,
          seen: faults.splice(0).at(-1) ?? seenIn(error),
        }),
      );
      if (!result.kept) broken += 1;
      yield result;
    }
    output.say(`${bankChecks.length - broken} of ${bankChecks.length} checks passed`);
  } finally {
    await nats.close();
  }
}
