import { Controller, Inject } from '@nestjs/common';
import {
  type HoldOrder,
  type HoldResult,
  placeHolds,
  postHolds,
  voidHolds,
} from '@xs2a/contracts/accounts.contract';
import { type InstantOrder, sendInstant } from '@xs2a/contracts/instant/instant.contract';
import type { PostResult } from '@xs2a/core-banking/port/booking';
import type { CoreBank } from '@xs2a/core-banking/port/core-bank';
import { type InstantAnswer, withKnownReason } from '@xs2a/domain/payment/instant/instant-answer';
import { Handles } from '@xs2a/calls/handles';
import { failpoint } from '@xs2a/runtime/failpoint';
import { BankCalls } from './bank-calls.js';
import { BANK } from './tokens.js';

/** The settlement worker's commands. All are idempotent: repeating a completed command returns its result. */
@Controller()
export class BookingController {
  constructor(
    @Inject(BANK) private readonly bank: CoreBank,
    private readonly calls: BankCalls,
  ) {}

  @Handles(placeHolds)
  async hold({ orders }: { orders: readonly HoldOrder[] }): Promise<{ results: readonly HoldResult[] }> {
    const results = await this.bank.booking.placeHolds(orders, this.calls.within(placeHolds));
    failpoint('accounts.after-hold-commit');
    return { results };
  }

  @Handles(postHolds)
  async post({ paymentIds }: { paymentIds: readonly string[] }): Promise<{ results: readonly PostResult[] }> {
    failpoint('accounts.before-post');
    const results = await this.bank.booking.postHolds(paymentIds, this.calls.within(postHolds));
    failpoint('accounts.after-post-commit');
    return { results };
  }

  @Handles(sendInstant)
  async send({ paymentId, order, deadline }: InstantOrder): Promise<InstantAnswer> {
    const call = this.calls.within(sendInstant);
    return withKnownReason(await this.bank.instant.sendInstant(paymentId, order, deadline, call));
  }

  @Handles(voidHolds)
  async void({ paymentIds }: { paymentIds: readonly string[] }): Promise<Record<string, never>> {
    await this.bank.booking.voidHolds(paymentIds, this.calls.within(voidHolds));
    failpoint('accounts.after-void-commit');
    return {};
  }
}
