import assert from 'node:assert/strict';
import test, { describe, it } from 'node:test';
import { total, withTax } from '../lib/price.js';

test('no tax', () => assert.equal(withTax(250, 0), 250));

test('a total of several items', () => assert.equal(total([{ cents: 100, count: 2 }, { cents: 50, count: 1 }], 20), 300));

describe('half a cent', () => {
  it('goes up', () => assert.equal(withTax(50, 7), 54));
  it('goes up for larger sums', () => assert.equal(withTax(1150, 19), 1369));
});

test('less than half a cent goes down', () => assert.equal(withTax(105, 7), 112));
