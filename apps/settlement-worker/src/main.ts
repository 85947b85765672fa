import { startService } from '@xs2a/runtime/service';
import { config } from './config.js';
import { SettlementModule } from './settlement.module.js';

await startService({ name: 'settlement-worker', config, module: SettlementModule, byKey: true });
