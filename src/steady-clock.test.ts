import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SteadyClock } from './steady-clock.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const YEAR = 365 * 24 * HOUR

/**
 * Returns for each minute whether the clock was trusted. `wrongBy` returns the error of the wall clock in
 * milliseconds.
 */
function ask(minutes: number, wrongBy: (minute: number) => number): boolean[] {
  let elapsed = 0
  const clock = new SteadyClock(HOUR + wrongBy(0), () => elapsed)
  return Array.from({ length: minutes }, (_, minute) => {
    elapsed = minute * MINUTE
    return clock.isTrusted(HOUR + elapsed + wrongBy(minute))
  })
}

test('trusts a steady clock, even while it is corrected slowly', () => {
  assert.ok(ask(300, (minute) => minute * 500).every(Boolean))
})

test('distrusts the clock for an hour after each jump, forward or back', () => {
  for (const years of [10, -10]) {
    const said = ask(300, (minute) => (minute >= 10 && minute < 30 ? years * YEAR : 0))
    assert.ok(said.slice(0, 10).every(Boolean))
    assert.ok(!said.slice(10, 90).some(Boolean))
    assert.ok(said.slice(90).every(Boolean))
  }
})
