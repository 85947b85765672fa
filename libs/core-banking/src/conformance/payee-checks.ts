import assert from 'node:assert/strict';
import { BankFault } from '../port/bank-fault.js';
import type { PayeeAnswer, PayeeQuestion } from '../port/payees.js';
import type { BankCheck, Trial } from './sample.js';

/** A name that no customer has. */
const strange = 'Qwxzy Kjhgfvb';
const shortMs = 500;
/** The time that a timer and the answer may take beyond the deadline. */
const marginMs = 250;

const verdictOf = async ({ bank, call }: Trial, question: PayeeQuestion): Promise<PayeeAnswer['verdict']> => {
  const answer = await bank.payees.verify(question, call());
  assertForm(answer);
  return answer.verdict;
};

const assertForm = (answer: PayeeAnswer): void => {
  const extra = { MATCH: [], CLOSE_MATCH: ['name'], NO_MATCH: [], NOT_POSSIBLE: ['reason'] }[answer.verdict];
  assert.deepEqual(Object.keys(answer).sort(), [...extra, 'verdict'].sort(), 'the members of the answer');
  if (answer.verdict !== 'CLOSE_MATCH') return;
  assert.ok(answer.name.length > 0 && answer.name.length <= 140, 'a name has 1 to 140 characters');
};

/** Returns a well-formed IBAN of the same bank that nobody has. */
const unusedIban = (iban: string): string => {
  const bban = `${iban.slice(4, -6)}999999`;
  const digits = [...`${bban}${iban.slice(0, 2)}00`]
    .map((character) => Number.parseInt(character, 36))
    .join('');
  return `${iban.slice(0, 2)}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${bban}`;
};

const ifVerified = (check: BankCheck): BankCheck => ({
  ...check,
  run: async (trial) => {
    if (trial.sample.holderName !== undefined) await check.run(trial);
  },
});

const checks: readonly BankCheck[] = [
  {
    title: 'a payee’s own name matches, and no other name does (contract 15)',
    run: async (trial) => {
      const { iban, holderName = '' } = trial.sample;
      for (const name of [holderName, holderName.toUpperCase(), ` ${holderName} `])
        assert.equal(await verdictOf(trial, { iban, name }), 'MATCH');
      assert.equal(await verdictOf(trial, { iban, name: strange }), 'NO_MATCH');
    },
  },
  {
    title: 'the holder of another person’s account is not disclosed to whoever asks with another name',
    run: async (trial) => {
      const iban = trial.sample.foreignIban;
      const answer = await trial.bank.payees.verify({ iban, name: strange }, trial.call());
      assert.deepEqual(answer, { verdict: 'NO_MATCH' });
    },
  },
  {
    title: 'a person has no register number to compare with',
    run: async (trial) => {
      const identification = { type: 'EIK', value: '999999995' } as const;
      const { iban } = trial.sample;
      assert.equal(await verdictOf(trial, { iban, identification }), 'NOT_POSSIBLE');
    },
  },
  {
    title: 'the holder of an unknown account cannot be verified',
    run: async (trial) => {
      const iban = unusedIban(trial.sample.iban);
      assert.equal(await verdictOf(trial, { iban, name: trial.sample.holderName ?? '' }), 'NOT_POSSIBLE');
    },
  },
  {
    title: 'an account at another bank has an answer before the deadline, or none',
    run: async ({ bank, sample, call }) => {
      const begun = performance.now();
      const deadline = begun + shortMs;
      const asked = { iban: sample.elsewhere, name: strange };
      await bank.payees.verify(asked, { ...call(), deadline }).then(assertForm, (error: unknown) => {
        assert.ok(error instanceof BankFault && error.code === 'too-slow', 'neither an answer nor too slow');
      });
      const took = performance.now() - begun;
      assert.ok(took < shortMs + marginMs, `the answer took ${Math.round(took)} ms of ${shortMs}`);
    },
  },
];

/** Checks of the verification of payees, for a bank whose sample names the holder of its account (contract 15). */
export const payeeChecks: readonly BankCheck[] = checks.map(ifVerified);
