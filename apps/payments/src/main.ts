import { checkMasterKeys } from '@xs2a/custody/personal-data/check-master-keys';
import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { migrations } from './migrations/index.js';
import { PaymentsModule } from './payments.module.js';

await startService({
  name: 'payments',
  config,
  migrations,
  beforeStart: checkMasterKeys,
  module: PaymentsModule,
  byKey: true,
});
