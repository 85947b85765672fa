import { describe, expect, it } from '@jest/globals';
import { fail } from '@xs2a/domain/failure/failures';
import { IsDefined, IsIn, IsInt, Max, Min } from 'class-validator';
import { readDto } from './read-dto.js';

class OrderDto {
  @IsDefined()
  @IsIn(['red', 'blue'], { message: 'Send red or blue.' })
  readonly colour!: string;

  @IsInt({ message: 'Send 1 to 9.' })
  @Min(1, { message: 'Send 1 to 9.' })
  @Max(9, { message: 'Send 1 to 9.' })
  readonly count?: number;
}

describe('readDto', () => {
  it('returns the members of the class', () => {
    expect(readDto(OrderDto, { count: 2, colour: 'red' })).toEqual({ dto: { colour: 'red', count: 2 } });
    expect(readDto(OrderDto, { colour: 'red' })).toEqual({ dto: { colour: 'red' } });
  });

  it.each([[null], [[]], ['text'], [undefined]])('rejects %j, which is not a JSON object', (body) => {
    expect(readDto(OrderDto, body)).toEqual({ failures: [fail('bodyNotJson')] });
  });

  it('distinguishes a missing member from one with an invalid form, such as null', () => {
    expect(readDto(OrderDto, {})).toEqual({ failures: [fail('fieldMissing', 'colour')] });
    expect(readDto(OrderDto, { colour: null, count: null })).toEqual({
      failures: [
        fail('fieldMalformed', 'colour', 'Send red or blue.'),
        fail('fieldMalformed', 'count', 'Send 1 to 9.'),
      ],
    });
  });

  it('reports unknown members last, with the path of the body', () => {
    expect(readDto(OrderDto, { size: 1, count: 0, colour: 'red' }, { path: 'orders[1]' })).toEqual({
      failures: [
        fail('fieldMalformed', 'orders[1].count', 'Send 1 to 9.'),
        fail('fieldUnknown', 'orders[1].size'),
      ],
    });
  });

  it.each(['constructor', '__proto__', 'toString'])('treats %s as an unknown member', (name) => {
    const body: unknown = JSON.parse(`{"colour":"red","${name}":{"colour":"green"}}`);
    expect(readDto(OrderDto, body)).toMatchObject({ failures: [{ failure: 'fieldUnknown' }] });
  });

  it('never reads inherited members', () => {
    expect(readDto(OrderDto, JSON.parse('{"__proto__":{"colour":"red"}}'))).toMatchObject({
      failures: [{ failure: 'fieldMissing', path: 'colour' }, { failure: 'fieldUnknown' }],
    });
  });

  it('adds the failures of additional rules in member order, but not for members with an invalid form', () => {
    const rules = (): ReturnType<typeof fail>[] => [
      fail('fieldMalformed', 'count', 'rule'),
      fail('fieldMalformed', 'colour', 'rule'),
    ];
    expect(readDto(OrderDto, { colour: 'red', count: 0 }, { rules })).toEqual({
      failures: [fail('fieldMalformed', 'colour', 'rule'), fail('fieldMalformed', 'count', 'Send 1 to 9.')],
    });
  });
});
