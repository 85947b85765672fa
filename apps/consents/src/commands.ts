import type { Type } from '@nestjs/common';
import { authorisationHandlers } from '@xs2a/authorisations/authorisation-handlers';
import { consentAuthorisation } from '@xs2a/contracts/consents.contract';
import { ConsentSigning } from './authorise/consent-signing.js';
import { CountAccessHandler } from './access/count-access.handler.js';
import { RecordCallsHandler } from './access/record-calls.handler.js';
import { ReleaseAccessHandler } from './access/release-access.handler.js';
import { BeginConsentAuthorisationHandler } from './authorise/begin-authorisation.handler.js';
import { ExpireDueConsentsHandler } from './background/expire-due-consents.handler.js';
import { AuthoriseConsentItemsHandler } from './baskets/authorise-items.handler.js';
import { GroupConsentItemsHandler } from './baskets/group-items.handler.js';
import { RejectConsentItemsHandler } from './baskets/reject-items.handler.js';
import { UngroupConsentItemsHandler } from './baskets/ungroup-items.handler.js';
import { CreateConsentHandler } from './create/create-consent.handler.js';
import { RevokeConsentHandler } from './end/revoke-consent.handler.js';
import { EndConsentByBankHandler } from './end/end-by-bank.handler.js';
import { ExpireConsentHandler } from './end/expire-consent.handler.js';
import { TerminateConsentHandler } from './end/terminate-consent.handler.js';

/** The handlers of the calls about authorisations. */
export const consentAuthorisations = authorisationHandlers(consentAuthorisation, ConsentSigning);

/** All commands of this service: each file contains a command and the handler to which the CommandBus dispatches it. */
export const commands: Type[] = [
  ...consentAuthorisations.commands,
  CreateConsentHandler,
  BeginConsentAuthorisationHandler,
  TerminateConsentHandler,
  RevokeConsentHandler,
  CountAccessHandler,
  ReleaseAccessHandler,
  RecordCallsHandler,
  ExpireDueConsentsHandler,
  ExpireConsentHandler,
  EndConsentByBankHandler,
  GroupConsentItemsHandler,
  UngroupConsentItemsHandler,
  AuthoriseConsentItemsHandler,
  RejectConsentItemsHandler,
];
