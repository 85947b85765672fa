import { BadRequestException, Body, Post, Redirect } from '@nestjs/common';
import { CallClient } from '@xs2a/calls/client';
import { handToSettlement } from '@xs2a/contracts/payments.contract';
import { trySettlementNow } from '@xs2a/contracts/settlement.contract';
import { isUuid } from '@xs2a/domain/text/uuid';
import { readActionForm } from '../actions/action-form.js';
import { ActionRefused, Actions } from '../actions/actions.js';
import { handedOver, type Outcome, triedNow } from '../actions/settlement-outcomes.js';
import { TwoPeople } from '../actions/two-people.js';
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
    twoPeople: TwoPeople,
  ) {
    for (const [act, { does, run }] of Object.entries(this.repairs))
      twoPeople.register(act as Repair, {
        does,
        isTarget: isUuid,
        run: async ({ target }) => done(await run(target)),
      });
  }

  private readonly repairs = {
    'try-settlement-now': {
      does: 'Makes the next attempt to settle the payment at once.',
      run: async (paymentId: string) => triedNow(await this.callClient.call(trySettlementNow, { paymentId })),
    },
    'hand-to-settlement': {
      does: 'Hands the payment to settlement again.',
      run: async (paymentId: string) => {
        const answer = await this.callClient.call(handToSettlement, { paymentId });
        if (answer.isDue) await this.callClient.call(trySettlementNow, { paymentId });
        return handedOver(answer);
      },
    },
  } as const satisfies Readonly<
    Record<string, { readonly does: string; readonly run: (paymentId: string) => Promise<Outcome> }>
  >;

  @Post('try-now')
  @ForRoles('operator')
  @Redirect()
  async tryNow(@ThisVisit() { staff }: Visit, @Body() form: URLSearchParams): Promise<Destination> {
    return this.repair('try-settlement-now', staff, form);
  }

  @Post('hand-over')
  @ForRoles('operator')
  @Redirect()
  async handOver(@ThisVisit() { staff }: Visit, @Body() form: URLSearchParams): Promise<Destination> {
    return this.repair('hand-to-settlement', staff, form);
  }

  private async repair(act: Repair, staff: Staff, form: URLSearchParams): Promise<Destination> {
    const paymentId = form.get('paymentId');
    if (!isUuid(paymentId)) throw new BadRequestException();
    const persons = { psuIds: [], ibans: [] };
    const { actionId, reason } = readActionForm(form, { to: `/payments/${paymentId}`, persons });
    await this.actions.perform({ actionId, staff, act, target: paymentId, reason }, async () =>
      done(await this.repairs[act].run(paymentId)),
    );
    return { url: `/actions/${actionId}`, statusCode: 303 };
  }
}

type Repair = 'try-settlement-now' | 'hand-to-settlement';

/** The outcome of an action that was done. Throws {@link ActionRefused} if nothing was. */
const done = ({ isDone, sentence }: Outcome): string => {
  if (!isDone) throw new ActionRefused(sentence);
  return sentence;
};
