import { Controller } from '@nestjs/common';
import { mustBeId } from '@xs2a/calls/checks';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import {
  bundlePartLength,
  exportBundle,
  type ExportBundle,
  type ExportedBundle,
} from '@xs2a/contracts/dispute-bundle.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { Clock } from '@xs2a/runtime/clock';
import { ActionRefused, Actions } from '../actions/actions.js';
import { mustBeOperatorRequest } from '../actions/operator-request.js';
import { DisputeBundles } from './dispute-bundles.js';

/** Milliseconds within which the later parts of an export are given. */
const partsMs = 10 * 60_000;

/** Exports the dispute bundle of a payment to an operator who asks with the `xs2a` command. */
@Controller()
export class BundleByCommandController {
  /** Actions are recorded in real time. */
  private readonly clock = new Clock(false);

  constructor(
    private readonly bundles: DisputeBundles,
    private readonly actions: Actions,
  ) {}

  @Handles(exportBundle)
  async export(request: RequestOf<typeof exportBundle>): Promise<ExportedBundle> {
    mustBeOperatorRequest(request);
    const { actionId, paymentId, operator, reason, part } = request;
    mustBeId(paymentId);
    if (!Number.isInteger(part) || part < 0) throw callFailed('fieldMalformed', 'part', 'Send 0, 1, 2 …');
    if (part > 0) return this.laterPart(request);
    const exported = await this.bundles.export(paymentId, { actionId, by: { operator }, reason });
    return 'refused' in exported ? exported : cut(exported.shown, 0);
  }

  /** Assembles the whole file for each part that is requested, so that no instance stores personal data between requests. */
  private async laterPart({ actionId, paymentId, operator, part }: ExportBundle): Promise<ExportedBundle> {
    const action = await this.actions.find(actionId);
    const isOfExport =
      action?.act === 'export-bundle' &&
      action.type === 'revealed' &&
      action.target === paymentId &&
      action.staff === operator &&
      action.end !== 'action-failed' &&
      action.at.getTime() > this.clock.nowMs() - partsMs;
    if (!isOfExport) return { refused: 'This export is not recorded, or it is older than ten minutes.' };
    try {
      return cut(await this.bundles.assemble(paymentId), part);
    } catch (error) {
      if (error instanceof ActionRefused) return { refused: error.message };
      throw error;
    }
  }
}

const cut = (text: string, part: number): ExportedBundle => ({
  text: text.slice(part * bundlePartLength, (part + 1) * bundlePartLength),
  parts: Math.ceil(text.length / bundlePartLength),
});
