import { Module } from '@nestjs/common';
import { DebtorAccounts } from '../authorise/debtor-accounts.js';
import { PaymentStore } from './payment-store.js';

/** What single payments and signing baskets share: the payments' streams, and what the core bank knows of debtor accounts. */
@Module({ providers: [PaymentStore, DebtorAccounts], exports: [PaymentStore, DebtorAccounts] })
export class PaymentStoreModule {}
