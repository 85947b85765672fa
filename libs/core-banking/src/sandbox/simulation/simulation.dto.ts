import { IsDefined, IsIn, IsInt, IsString, Max, Min } from 'class-validator';

/** Outcomes that a TPP can simulate for one PSU, to test how its own code handles each of them. */
const simulatedOutcomes = {
  'insufficient-funds': 'funds confirmations answer false, and due payments find no funds',
  'core-bank-down': 'funds confirmations, acceptance and settlement find the core bank down',
  reject: 'the bank rejects the payment once the PSU has signed in',
  slow: 'funds confirmations, acceptance and settlement take a second and a half longer',
  none: 'normal behaviour: ends the earlier simulation',
} as const;
export type SimulatedOutcome = keyof typeof simulatedOutcomes;

const maxCalls = 100;
const outcomes = Object.keys(simulatedOutcomes);
const callsHint = { message: `Send a whole number from 1 to ${maxCalls}.` };

/** The body of `POST /sandbox/simulate` (contract 13). */
export class SimulationDto {
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
