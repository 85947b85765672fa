import { startService } from '@xs2a/runtime/service';
import { AccountsModule } from './accounts.module.js';
import { config } from './config.js';

await startService({
  name: 'accounts',
  config,
  byKey: true,
  module: (parts) => AccountsModule.around(parts.config),
});
