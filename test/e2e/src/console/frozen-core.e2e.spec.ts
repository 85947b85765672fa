// Lane: nightly (each service is frozen in turn).
import { describe } from '@jest/globals';
import { namesFrozen } from './frozen-services.js';

describe('Now, while a service behind them hangs', () => {
  namesFrozen(['funds-confirmation', 'payments', 'settlement-worker', 'notifications']);
});
