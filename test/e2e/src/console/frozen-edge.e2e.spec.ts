// Lane: nightly (each service is frozen in turn).
import { describe } from '@jest/globals';
import { namesFrozen } from './frozen-services.js';

describe('Now, while a service that TPPs or PSUs reach hangs', () => {
  namesFrozen(['gateway', 'auth', 'consents', 'accounts']);
});
