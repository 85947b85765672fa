import type { ProfileTables } from '../../profile/profile-tables.js';
import type { JsonObject } from '../../form/form-checks.js';
import type { BudgetAttribute } from '../fields/budget-details.js';
import type { AddressForm } from '../fields/address.js';
import type { Condition } from '../fields/payment-conditions.js';
import type { FieldCheck } from '../fields/field-check.js';
import type { FieldType, PaymentField } from '../fields/payment-fields.js';
import type { PaymentOrder } from '../payment-events.js';
import type { PaymentProduct, PaymentType } from '../payment-products.js';
import type { PaymentService } from '../payment-services.js';

/** The details on which the payment type and the product depend: a valid order and, if sent, the creditor bank's BIC. */
export interface RoutedDetails {
  readonly order: Pick<PaymentOrder, 'amount' | 'creditorAccount'>;
  readonly creditorAgent?: string;
}

/** The tables that decide which banks a product reaches. */
export type ReachTables = Pick<ProfileTables, 'sepa' | 'instant'>;

/**
 * The rules for payments that depend on the currency of the country. The profile names the standard; validation,
 * paths, the OpenAPI document and the pages ask the standard and never the name of a profile.
 */
export interface PaymentStandard {
  /** ISO 4217. The currency of fees and rates, and the only one of periodic payments. */
  readonly homeCurrency: string;
  /** The products that a bank can offer. */
  readonly products: readonly PaymentProduct[];
  /**
   * Products of the previous standard, each with its successor. What was created there can be read and cancelled; a
   * POST is refused (contract E1.5).
   */
  readonly closedProducts: Readonly<Partial<Record<PaymentProduct, PaymentProduct>>>;
  /** Further product names in a path, in lower case. */
  readonly aliases: Readonly<Record<string, PaymentProduct>>;
  /** The products that each payment service supports. */
  readonly productsByService: Readonly<Record<PaymentService, readonly PaymentProduct[]>>;
  /** The advice for a product that a service is announced to support later. */
  readonly announced: Readonly<
    Partial<Record<PaymentService, Readonly<Partial<Record<PaymentProduct, string>>>>>
  >;
  /** The product of periodic payments, which `domestic` names under that service. */
  readonly periodicProduct: PaymentProduct;
  /** The standard whose payments can still be read (contract E1.5). */
  readonly previous?: PaymentStandard;
  /** The field × product table, in the order in which violations are reported. */
  readonly fields: readonly PaymentField[];
  /** The check for each field type. */
  readonly fieldChecks: Readonly<Record<FieldType, FieldCheck>>;
  /** Conditions between fields, by the path of the field that has to be corrected. */
  readonly conditions: Readonly<Record<string, Condition>>;
  readonly address: AddressForm;
  readonly budgetAttributes: readonly BudgetAttribute[];
  /** The products whose payment text has to start with a balance-of-payments code. */
  readonly purposeCodeProducts: readonly PaymentProduct[];
  /** A valid body for each product. */
  readonly exampleBodies: Readonly<Partial<Record<PaymentProduct, JsonObject>>>;
  /** The payment type that follows from the details (spec 1.9). */
  readonly deriveType: (details: RoutedDetails, tables: ReachTables) => PaymentType;
  /** The product for these details: `product` itself if it takes them, otherwise the one to recommend. */
  readonly fittingProduct: (
    product: PaymentProduct,
    details: RoutedDetails,
    tables: ReachTables,
  ) => PaymentProduct;
  /** Why a currency that is not supported is refused, as a text for the TPP. */
  readonly unsupportedCurrencyText: (
    currency: string,
    profile: { readonly currencies: readonly string[]; readonly levEnd?: string },
  ) => string;
  /** The text of the transfer, from a body with valid fields. Undefined if the body has none. */
  readonly transferText: (body: JsonObject) => string | undefined;
}
