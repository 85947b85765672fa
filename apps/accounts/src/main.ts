import { startService } from '@xs2a/runtime/service';
import { AccountsModule } from './accounts.module.js';
import { config } from './config.js';
import { migrations } from './migrations/index.js';

await startService({
  name: 'accounts',
  config,
  migrations,
  byKey: true,
  module: AccountsModule,
});
