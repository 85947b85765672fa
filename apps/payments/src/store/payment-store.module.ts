import { Module } from '@nestjs/common';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { PAYMENT_STORE, paymentStoreProvider } from './payment-store.js';

/**
 * Used by both single payments and signing baskets: the payments' streams, and the core bank's data about debtor
 * accounts.
 */
@Module({ providers: [paymentStoreProvider, DebtorAccounts], exports: [PAYMENT_STORE, DebtorAccounts] })
export class PaymentStoreModule {}
