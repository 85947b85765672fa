import { BadRequestException, Body, Post, Redirect } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { handToSettlement } from '@xs2a/contracts/payments.contract';
import { trySettlementNow } from '@xs2a/contracts/settlement.contract';
import { isUuid } from '@xs2a/domain/text/uuid';
import { readActionForm } from '../actions/action-form.js';
import { ActionRefused, Actions } from '../actions/actions.js';
import type { Act } from '../actions/acts.js';
import { handedOver, type Outcome, triedNow } from '../actions/settlement-outcomes.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import type { Staff } from '../staff/staff.js';

interface Destination {
  readonly url: string;
  readonly statusCode: number;
}

/** Repairs the settlement of a payment. Only the settlement worker books; both actions make it look again. */
@StaffPages('payments')
export class PaymentSettlementController {
  constructor(
    private readonly callClient: CallClient,
    private readonly actions: Actions,
  ) {}

  @Post('try-now')
  @ForRoles('operator')
  @Redirect()
  async tryNow(@ThisVisit() { staff }: Visit, @Body() form: URLSearchParams): Promise<Destination> {
    return this.act('try-settlement-now', { staff, form }, async (paymentId) =>
      triedNow(await this.callClient.call(trySettlementNow, { paymentId })),
    );
  }

  @Post('hand-over')
  @ForRoles('operator')
  @Redirect()
  async handOver(@ThisVisit() { staff }: Visit, @Body() form: URLSearchParams): Promise<Destination> {
    return this.act('hand-to-settlement', { staff, form }, async (paymentId) => {
      const answer = await this.callClient.call(handToSettlement, { paymentId });
      if (answer.isDue) await this.callClient.call(trySettlementNow, { paymentId });
      return handedOver(answer);
    });
  }

  private async act(
    act: Act,
    { staff, form }: { readonly staff: Staff; readonly form: URLSearchParams },
    run: (paymentId: string) => Promise<Outcome>,
  ): Promise<Destination> {
    const paymentId = form.get('paymentId');
    if (!isUuid(paymentId)) throw new BadRequestException();
    const persons = { psuIds: [], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: `/payments/${paymentId}`, persons });
    await this.actions.perform({ actionId, staff, act, target: paymentId, reason }, async () => {
      const { isDone, sentence } = await run(paymentId);
      if (!isDone) throw new ActionRefused(sentence);
      return sentence;
    });
    return { url: `/actions/${actionId}`, statusCode: 303 };
  }
}
