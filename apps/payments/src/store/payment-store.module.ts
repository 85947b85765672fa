import { Module } from '@nestjs/common';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { BeforeBody } from '../create/before-body.js';
import { PAYMENT_STORE, paymentStoreProvider } from './payment-store.js';

/**
 * Used by both payments and signing baskets: the payments' streams, the core bank's data about debtor accounts, and
 * the checks before the body.
 */
@Module({
  providers: [paymentStoreProvider, DebtorAccounts, BeforeBody],
  exports: [PAYMENT_STORE, DebtorAccounts, BeforeBody],
})
export class PaymentStoreModule {}
