import { Module } from '@nestjs/common';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { PaymentStore } from './payment-store.js';

/**
 * Used by both single payments and signing baskets: the payments' streams, and the core bank's data about debtor
 * accounts.
 */
@Module({ providers: [PaymentStore, DebtorAccounts], exports: [PaymentStore, DebtorAccounts] })
export class PaymentStoreModule {}
