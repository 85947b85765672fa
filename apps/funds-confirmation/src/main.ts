import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { FundsConfirmationModule } from './funds-confirmation.module.js';

await startService({ name: 'funds-confirmation', config, module: FundsConfirmationModule });
