import { checkMasterKeys } from '@xs2a/custody/personal-data/check-master-keys';
import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { ConsentsModule } from './consents.module.js';
import { migrations } from './migrations/index.js';

await startService({
  name: 'consents',
  config,
  migrations,
  beforeStart: checkMasterKeys,
  byKey: true,
  module: ConsentsModule,
});
