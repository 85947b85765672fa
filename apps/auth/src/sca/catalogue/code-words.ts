import type {
  ChargeBearer,
  paymentCategories,
  regulatoryReportTypes,
  ServiceLevel,
  euroTaxpayerTypes,
} from '@xs2a/domain/payment/fields/code-tables';

/** Texts for the codes of spec 2.4, in one language. */
export interface CodeWords {
  readonly serviceLevel: Readonly<Record<ServiceLevel, string>>;
  readonly chargeBearer: Readonly<Record<ChargeBearer, string>>;
  readonly reportType: Readonly<Record<keyof typeof regulatoryReportTypes, string>>;
  readonly taxpayerType: Readonly<Record<keyof typeof euroTaxpayerTypes, string>>;
  readonly category: Readonly<Record<keyof typeof paymentCategories, string>>;
  /** Texts for all 81 balance-of-payments purpose codes. */
  readonly purpose: Readonly<Record<string, string>>;
}
