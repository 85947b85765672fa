import { IsDefined, IsIn, IsInt, IsString, Max, Min } from 'class-validator';

/** Outcomes that a TPP can simulate for one PSU, to test how its own code handles each of them. */
const everySandbox = {
  'insufficient-funds': 'funds confirmations answer false, and due payments find no funds',
  'core-bank-down': 'funds confirmations, acceptance and settlement find the core bank down',
  reject: 'the bank rejects the payment once the PSU has signed in',
  slow: 'funds confirmations, acceptance and settlement take a second and a half longer',
  none: 'normal behaviour: ends the earlier simulation',
} as const;
/** Further outcomes at a bank that offers instant payments (contract E8.4). */
const ofInstant = {
  'instant-offline': 'the payee’s bank is not available: AB08',
  'instant-timeout': 'the payee’s bank does not answer: AB05',
  'instant-closed': 'the payee’s account is closed: AC04',
  'instant-rejected': 'the payee’s bank refuses: MS03',
  'instant-slow': 'the payee’s bank accepts after eight seconds',
  'instant-limit': 'the amount is above the PSU’s own limit: AM14',
} as const;
/** Further outcomes at a bank that verifies payees: what the answers for the PSU's next payments are. */
const ofPayees = {
  'payee-match': 'the name of the payee matches',
  'payee-close': 'the name of the payee almost matches',
  'payee-no-match': 'the name of the payee does not match',
  'payee-not-possible': 'the payee cannot be verified',
  'payee-slow': 'the answer about the payee comes two seconds later',
} as const;
export type PayeeOutcome = keyof typeof ofPayees;
export type SimulatedOutcome = keyof typeof everySandbox | keyof typeof ofInstant | PayeeOutcome;

export const payeeOutcomes = Object.keys(ofPayees) as readonly PayeeOutcome[];
const maxCalls = 100;
const callsHint = { message: `Send a whole number from 1 to ${maxCalls}.` };

interface SimulationBody {
  readonly psuId: string;
  readonly outcome: SimulatedOutcome;
  readonly calls?: number;
}

/** What a bank offers, which decides the outcomes that can be simulated. */
export interface Offers {
  readonly instant: boolean;
  readonly payees: boolean;
}

/** Makes the class of the body of `POST /sandbox/simulate` for a bank with these offers (contract 13). */
export const simulationDto = ({ instant, payees }: Offers): new () => SimulationBody => {
  const outcomes = Object.keys({
    ...everySandbox,
    ...(instant ? ofInstant : {}),
    ...(payees ? ofPayees : {}),
  });
  class SimulationDto implements SimulationBody {
    @IsDefined()
    @IsString({ message: 'Send the psuId of a PSU of the sandbox.' })
    readonly psuId!: string;

    @IsDefined()
    @IsIn(outcomes, { message: `Send one of ${outcomes.join(', ')}.` })
    readonly outcome!: SimulatedOutcome;

    @IsInt(callsHint)
    @Min(1, callsHint)
    @Max(maxCalls, callsHint)
    readonly calls?: number;
  }
  return SimulationDto;
};
