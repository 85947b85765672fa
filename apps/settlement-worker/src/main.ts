import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { migrations } from './migrations/index.js';
import { SettlementModule } from './settlement.module.js';

await startService({ name: 'settlement-worker', config, migrations, module: SettlementModule, byKey: true });
