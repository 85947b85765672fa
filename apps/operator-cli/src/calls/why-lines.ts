import { type Explanation, explain, type RefusedCall } from '@xs2a/refusals/explain';
import type { DescribedField } from '@xs2a/refusals/described-field';
import { factPairs } from '@xs2a/refusals/fact-lines';
import { failedPart } from '@xs2a/refusals/failed-part';
import { standardOn } from '@xs2a/refusals/standard-on';

const disconnected = 499;

/** What decides on the standard of a call. */
export type Bank = Parameters<typeof standardOn>[0];
interface AnsweredCall {
  readonly time: string;
  readonly dependency: string | null;
}

/** Why a call was refused or failed: the rules, the advice to the TPP, the field, and what helps. Empty for other calls. */
export const whyLines = (call: RefusedCall & AnsweredCall, bank: Bank): readonly string[] => {
  const { status, dependency } = call;
  const today = call.time.slice(0, 10);
  if (status < 400 || status === disconnected) return [];
  const explanation = explain(call, { today, standard: standardOn(bank, today) });
  return [
    ...(status >= 500 ? [`runbook: ${failedPart(dependency).runbook}`] : []),
    ...(explanation === undefined ? [] : explanationLines(explanation)),
  ];
};

/** One line for each form of the field; with several forms, also the requests that have each. */
const fieldLines = ({ path, forms }: DescribedField): readonly string[] =>
  forms.map(({ facts, requests }) => {
    const where = forms.length > 1 ? ` (${requests.join(', ')})` : '';
    const said = factPairs(facts).map(([name, value]) => `${name} ${value}`);
    return `field ${path === '' ? 'body' : path}${where}: ${said.join('; ')}`;
  });

const explanationLines = ({ rules, advice, field, steps = [] }: Explanation): readonly string[] => [
  ...rules.map(
    ({ rule, title, page, anchor, text }) => `rule: ${rule}, ${title} (${page}#${anchor}): ${text}`,
  ),
  `advice: ${advice}`,
  ...(field === undefined ? [] : fieldLines(field)),
  ...steps.map((step) => `helps: ${step}`),
];
