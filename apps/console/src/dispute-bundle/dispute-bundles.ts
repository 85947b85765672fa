import { Injectable } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { signBundle } from '@xs2a/contracts/dispute-bundle.contract';
import { assembleBundle, NoBundle } from '@xs2a/resources/dispute-bundle/assemble-bundle';
import { ActionRefused } from '../actions/actions.js';
import { type Revealed, type RevealRequest, Reveals } from '../actions/reveals.js';

/** Exports dispute bundles, for the page and for the command. A file is personal data, so each export counts like a revealed field. */
@Injectable()
export class DisputeBundles {
  constructor(
    private readonly callClient: CallClient,
    private readonly reveals: Reveals,
  ) {}

  /** Records the export, then returns the text of the file. */
  async export(
    paymentId: string,
    request: Pick<RevealRequest, 'actionId' | 'by' | 'reason'>,
  ): Promise<Revealed<string>> {
    return this.reveals.reveal({ ...request, act: 'export-bundle', target: paymentId }, async () => ({
      shown: await this.assemble(paymentId),
      outcome: 'The dispute bundle was exported.',
    }));
  }

  /** Returns the text of the file of an export that is recorded. Throws {@link ActionRefused} if there is none, and CallFailed. */
  async assemble(paymentId: string): Promise<string> {
    try {
      return await assembleBundle(paymentId, {
        ask: async (call, request) => this.callClient.call(call, request),
        sign: async (asked) => this.callClient.call(signBundle, asked),
      });
    } catch (error) {
      if (error instanceof NoBundle) throw new ActionRefused(error.message);
      throw error;
    }
  }
}
