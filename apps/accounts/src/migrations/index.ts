import { AccountsBaseline1795700000000 } from './1-baseline.js';
import { EuroCustomers1795875600000 } from './2-euro-customers.js';

export const schema = 'accounts';
export const migrations = [AccountsBaseline1795700000000, EuroCustomers1795875600000];
