import { Module } from '@nestjs/common';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { PaymentPayees } from '../authorise/payment-payees.js';
import { VerificationLeases } from '../authorise/verification-leases.js';
import { BeforeBody } from '../create/before-body.js';
import { PAYMENT_STORE, paymentStoreProvider } from './payment-store.js';

/**
 * Used by both payments and signing baskets: the payments' streams, the core bank's data about debtor accounts, the
 * verification of payees, and the checks before the body.
 */
@Module({
  providers: [paymentStoreProvider, DebtorAccounts, VerificationLeases, PaymentPayees, BeforeBody],
  exports: [PAYMENT_STORE, DebtorAccounts, PaymentPayees, BeforeBody],
})
export class PaymentStoreModule {}
