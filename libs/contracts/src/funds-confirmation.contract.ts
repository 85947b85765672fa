import type { MinorAmount } from '@xs2a/domain/payment/payment-events';
import { call } from './call.js';

/** Spec 2.3, contract 7. The PSU is taken from the PSP_IC token. */
export const confirmFunds = call<
  {
    readonly tppId: string;
    readonly psuId: string;
    readonly iban?: string;
    /** The account currency, if the TPP specified one. */
    readonly accountCurrency?: string;
    readonly amount: MinorAmount;
  },
  { readonly fundsAvailable: boolean }
>('svc.funds-confirmation.confirm', 'idempotent');
