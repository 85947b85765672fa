import { type FailureName, failures } from '@xs2a/domain/failure/failures';
import type { PaymentService } from '@xs2a/domain/payment/payment-services';
import type { StandardName } from '@xs2a/domain/payment/standards/standard-name';
import { type CallSetting, type CorrectedRequest, correctedRequest } from './corrected-request.js';
import { type DescribedField, describeField } from './described-field.js';
import { describedOperation, productsIn } from './described-requests.js';
import { type Step, ruleOf } from './rule-table.js';
import { type Rule, ruleOfFailure, ruleOfField } from './rules.js';

/** A refused or failed call, as its row has it. */
export interface RefusedCall {
  readonly operation: string;
  readonly status: number;
  readonly code: string | null;
  /** The name of its first failure; null for calls that an older gateway reported. */
  readonly failure: string | null;
  /** Of the first violation. */
  readonly path: string | null;
  /** The text of the first violation, if the answer was stored. */
  readonly text?: string | undefined;
  /** The paths of the other violations, if the answer was stored. */
  readonly otherPaths?: readonly string[] | undefined;
}

/** Why a call was refused, and what to send instead. It contains nothing that the client sent. */
export interface Explanation {
  /** The violated rule, then the rule of the field if it has its own. */
  readonly rules: readonly Rule[];
  /** The text that the TPP received; if the answer was not stored, the text of its failure, which may be less specific. */
  readonly advice: string;
  /** True if the advice is the text that the TPP received. */
  readonly isAdviceOfAnswer: boolean;
  readonly field?: DescribedField;
  /** A request of the same operation that has the right form; absent if {@link steps} help. */
  readonly corrected?: CorrectedRequest | undefined;
  /** The calls that help. */
  readonly steps?: readonly string[];
}

const isFailure = (name: string | null): name is FailureName =>
  name !== null && Object.hasOwn(failures, name);

/** Returns the failure of a call; for a row without one, the only failure with this status and code. */
const failureOf = ({ failure, status, code }: RefusedCall): FailureName | undefined => {
  if (isFailure(failure)) return failure;
  const possible = Object.entries(failures).filter(([, [of, its]]) => of === status && its === code);
  return failure === null && possible.length === 1 ? (possible[0]?.[0] as FailureName) : undefined;
};

const tokenStep = (operation: string, standard: StandardName, isRenewal: boolean): string => {
  const { grant, scope } = describedOperation(operation, standard)?.token ?? {};
  // A basket with consents is the only resource of both.
  if (operation === 'createBasket')
    return 'POST /oauth2/token: grant_type=client_credentials, scope=PSP_PI, or PSP_AI PSP_PI for a basket with consents';
  if (grant !== 'user')
    return `POST /oauth2/token: grant_type=client_credentials${scope === undefined ? '' : `, scope=${scope}`}`;
  if (isRenewal) return 'POST /oauth2/token: grant_type=refresh_token';
  const asked = scope === 'PSP_AI' ? 'the consentId' : `scope=${String(scope)}`;
  return `GET /oauth2/authorize with ${asked}, then POST /oauth2/token: grant_type=authorization_code`;
};

const stepText = (
  step: Step,
  operation: string,
  standard: StandardName,
  service: PaymentService | undefined,
): string => {
  if (step === 'token' || step === 'renew') return tokenStep(operation, standard, step === 'renew');
  if (step === 'products')
    return service === undefined
      ? 'Repeat the request under a product of its payment service'
      : `Repeat the request under a product of ${service}: ${productsIn(service, standard).join(', ')}`;
  if (step !== 'repeat') return step;
  return `Repeat ${describedOperation(operation, standard, service)?.request ?? 'the request'}`;
};

/** True if an existing payment was called under a product that is not its own. */
const isUnderWrongProduct = (failure: FailureName, operation: string): boolean =>
  failure === 'productWrong' && operation !== 'initiatePayment';

/** The product that the text of the answer recommends. */
const fittingProduct = (text = ''): string | undefined => /Send them to \/payments\/([\w-]+)/.exec(text)?.[1];

/** Explains a refused or failed call; undefined if its rule is not known. */
export const explain = (call: RefusedCall, setting: CallSetting): Explanation | undefined => {
  const failure = failureOf(call);
  const rule = failure && ruleOfFailure(failure);
  if (failure === undefined || rule === undefined) return undefined;
  const { operation } = call;
  const { standard, service } = setting;
  const path = call.path ?? undefined;
  const ofField = path === undefined ? undefined : ruleOfField(operation, path);
  const { steps } = ruleOf[isUnderWrongProduct(failure, operation) ? 'serviceWrong' : failure];
  const paths = [...(path === undefined ? [] : [path]), ...(call.otherPaths ?? [])];
  const product = (failure === 'productWrong' ? fittingProduct(call.text) : undefined) ?? setting.product;
  return {
    rules: ofField === undefined || ofField.text === rule.text ? [rule] : [rule, ofField],
    advice: call.text ?? failures[failure][2],
    isAdviceOfAnswer: call.text !== undefined,
    field: path === undefined ? undefined : describeField(operation, path, standard, service),
    ...(steps === undefined
      ? { corrected: correctedRequest(operation, paths, { ...setting, product }) }
      : { steps: steps.map((step) => stepText(step, operation, standard, service)) }),
  };
};
