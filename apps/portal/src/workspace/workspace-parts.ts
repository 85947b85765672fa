import type { Provider, Type } from '@nestjs/common';
import { CertifyController } from '../certify/certify.controller.js';
import { InboxAddresses } from '../inbox/inbox-addresses.js';
import { InboxEntries } from '../inbox/inbox-entries.js';
import { OwnInbox } from '../inbox/own-inbox.js';
import { PlannedAnswers } from '../inbox/planned-answers.js';
import { OwnThingsController } from '../own-things/own-things.controller.js';
import { OverviewController } from '../own-things/overview.controller.js';
import { TryController } from '../try-it/try.controller.js';
import { ClockController } from './clock.controller.js';
import { PushController } from '../workspace-push/push.controller.js';
import { PeopleController } from './people.controller.js';
import { RequestsController } from './requests.controller.js';
import { Sessions } from './session.js';
import { SignInController } from './sign-in.controller.js';
import { TppApi } from './tpp-api.js';

/** The controllers of the workspace. */
export const workspaceControllers: Type[] = [
  SignInController,
  OverviewController,
  RequestsController,
  PeopleController,
  PushController,
  TryController,
  OwnThingsController,
  CertifyController,
  ClockController,
];

/** What they share. */
export const workspaceProviders: Provider[] = [
  Sessions,
  TppApi,
  InboxAddresses,
  InboxEntries,
  OwnInbox,
  PlannedAnswers,
];
