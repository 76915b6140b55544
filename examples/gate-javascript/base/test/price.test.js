import assert from 'node:assert/strict';
import test from 'node:test';
import { total, withTax } from '../lib/price.js';

test('no tax', () => assert.equal(withTax(250, 0), 250));

test('a total of several items', () => assert.equal(total([{ cents: 100, count: 2 }, { cents: 50, count: 1 }], 20), 300));
