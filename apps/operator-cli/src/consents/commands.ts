import { endConsentByBank, listConsentsOfBank } from '@xs2a/contracts/consents.contract';
import { consentReveals } from '@xs2a/domain/consent/consent-reveal';
import { recorded } from '../actions/recorded.js';
import { askConsents } from '../ask-service.js';
import { defineCommand, group } from '../command-line/define-command.js';
import { argument, countUpTo, option, resourceId } from '../command-line/options.js';
import { table } from '../command-line/output.js';
import { Refusal } from '../command-line/refusal.js';
import { recordOptions } from '../privacy/person-options.js';
import { revealCommand } from '../reveal-command.js';

const list = defineCommand({
  name: 'list',
  help: 'consents of all TPPs or of one, newest first',
  options: {
    tpp: option('<client id>', 'only those of this TPP'),
    before: option('<id>', 'only older ones: continues the page that ended with it', resourceId),
    limit: option('<count>', 'only the newest N', countUpTo(500)).or(50),
  },
  run: async ({ connections, options: { tpp: tppId, before, limit } }) => {
    const { consents } = await askConsents(connections, listConsentsOfBank, { tppId, before, limit });
    return consents;
  },
  text: (consents) =>
    table(
      consents,
      {
        consent: ({ consentId }) => consentId,
        status: ({ status }) => status,
        TPP: ({ tppId }) => tppId,
        access: ({ recurring }) => (recurring ? 'recurring' : 'once'),
        'last used': ({ lastUsedAt }) => lastUsedAt,
      },
      'No such consents.',
    ),
});

const end = defineCommand({
  name: 'end',
  help: 'ends a consent for good: a valid one expires, an unauthorised one is rejected; the TPP is notified',
  options: { consent: argument('id of the consent'), ...recordOptions },
  run: async ({ connections, options: { consent, reason, operator } }) => {
    const consentId = resourceId(consent);
    const action = { act: 'end-consent', target: consentId, reason, operator } as const;
    return recorded(connections, action, async () => {
      const result = await askConsents(connections, endConsentByBank, { consentId });
      if (!result.ended) throw new Refusal(`The consent had ended before: ${result.consentStatus}.`);
      return { result, outcome: `The consent is ${result.consentStatus}.` };
    });
  },
  text: ({ consentStatus }) => `✓ the consent is ${consentStatus}`,
});

/** The commands for consents. */
export const consents = group('consents', 'the consents of PSUs', [
  list,
  revealCommand('consent', consentReveals),
  end,
]);
