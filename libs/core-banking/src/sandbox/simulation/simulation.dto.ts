import { IsDefined, IsIn, IsInt, IsString, Max, Min } from 'class-validator';

/** Outcomes that a TPP can simulate for one PSU, to test how its own code handles each of them. */
const simulatedOutcomes = {
  'insufficient-funds': 'funds confirmations answer false, and due payments find no funds',
  'core-bank-down': 'funds confirmations, acceptance and settlement find the core bank down',
  reject: 'the bank rejects the payment once the PSU has signed in',
  slow: 'funds confirmations, acceptance and settlement take a second and a half longer',
  none: 'normal behaviour: ends the earlier simulation',
} as const;
/** Further outcomes at a bank that verifies payees: what the answers for the PSU's next payments are. */
const simulatedPayees = {
  'payee-match': 'the name of the payee matches',
  'payee-close': 'the name of the payee almost matches',
  'payee-no-match': 'the name of the payee does not match',
  'payee-not-possible': 'the payee cannot be verified',
  'payee-slow': 'the answer about the payee comes two seconds later',
} as const;
export type PayeeOutcome = keyof typeof simulatedPayees;
export type SimulatedOutcome = keyof typeof simulatedOutcomes | PayeeOutcome;

const maxCalls = 100;
export const payeeOutcomes = Object.keys(simulatedPayees) as readonly PayeeOutcome[];
const outcomes = Object.keys(simulatedOutcomes);
const callsHint = { message: `Send a whole number from 1 to ${maxCalls}.` };

interface SimulationBody {
  readonly psuId: string;
  readonly outcome: SimulatedOutcome;
  readonly calls?: number;
}

/** Makes the class of the body of `POST /sandbox/simulate` for a bank that knows these outcomes (contract 13). */
const makeSimulationDto = (known: readonly string[]): new () => SimulationBody => {
  class SimulationDto implements SimulationBody {
    @IsDefined()
    @IsString({ message: 'Send the psuId of a PSU of the sandbox.' })
    readonly psuId!: string;

    @IsDefined()
    @IsIn(known, { message: `Send one of ${known.join(', ')}.` })
    readonly outcome!: SimulatedOutcome;

    @IsInt(callsHint)
    @Min(1, callsHint)
    @Max(maxCalls, callsHint)
    readonly calls?: number;
  }
  return SimulationDto;
};

export const SimulationDto = makeSimulationDto(outcomes);
/** For a bank that verifies payees (contract 15). */
export const PayeeSimulationDto = makeSimulationDto([...outcomes, ...payeeOutcomes]);
