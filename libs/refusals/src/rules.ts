import type { FailureName } from '@xs2a/domain/failure/failures';
import texts from './generated/rules.json' with { type: 'json' };

/** A rule of the contract or the specification, with its text. */
export interface Rule {
  /** `contract 3` or `spec 1.4`. */
  readonly rule: string;
  /** The heading under which it is written. */
  readonly title: string;
  /** The path of its page in the repository. */
  readonly page: string;
  readonly anchor: string;
  /** Its words; code is in backticks. */
  readonly text: string;
}

/** What `generated/rules.json` contains; `npm run refusals` writes it from docs/contract and docs/rules. */
export interface RuleTexts {
  readonly failures: Readonly<Record<FailureName, Rule>>;
  /** By operation and path, as in `field-rules.ts`. */
  readonly fields: Readonly<Record<string, Rule>>;
}

const rules: RuleTexts = texts;

/** Returns the rule that a failure violates; undefined for a name that only another release has. */
export const ruleOfFailure = (failure: string): Rule | undefined =>
  Object.hasOwn(rules.failures, failure) ? rules.failures[failure as FailureName] : undefined;

/** Returns the rule of a field, header or parameter, or of the object that contains it; undefined if it has none. */
export const ruleOfField = (operation: string, path: string): Rule | undefined => {
  const names = path.replaceAll(/\[\d+\]/g, '').split('.');
  // The entries of a bulk payment have the fields of a single payment.
  const own = names[0] === 'payments' && names.length > 1 ? names.slice(1) : names;
  for (let length = own.length; length > 0; length -= 1) {
    const name = own.slice(0, length).join('.');
    for (const key of [`${operation} ${name}`, `* ${name}`])
      if (Object.hasOwn(rules.fields, key)) return rules.fields[key];
  }
  return undefined;
};
