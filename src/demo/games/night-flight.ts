/**
 * Night Flight, a Flash game: a rocket collects stars and avoids clouds. Each star fills the bar at the top.
 * When it is full, a light goes on and the game gets faster.
 */
import {
  type Actions,
  add,
  atEachFrame,
  call,
  divide,
  get,
  getOf,
  greater,
  less,
  multiply,
  or,
  random,
  set,
  setOf,
  subtract,
  when,
} from './actions.ts'
import { film, place, script } from './flash.ts'
import { defineScenery, defineThings, HEIGHT, ID, WIDTH } from './night-flight-shapes.ts'

const STARS = ['star0', 'star1', 'star2', 'star3', 'star4', 'star5']
const CLOUDS = ['cloud0', 'cloud1', 'cloud2']
const LIGHTS = ['light0', 'light1', 'light2', 'light3', 'light4', 'light5', 'light6', 'light7']
const KEYS = { left: 37, up: 38, right: 39, down: 40 }

export function writeNightFlight(): Buffer {
  return film({ width: WIDTH, height: HEIGHT, rate: 30, ground: [8, 12, 40] }, [
    ...defineScenery(),
    ...defineThings(),
    place(1, ID.sky, {}),
    place(2, ID.moon, { x: 430, y: 84 }),
    place(3, ID.hills, {}, 'hills'),
    place(4, ID.nearHills, {}, 'nearHills'),
    ...STARS.map((name, at) =>
      place(10 + at, ID.turning, { x: 260 + at * 95, y: 60 + ((at * 97) % 250) }, name),
    ),
    ...CLOUDS.map((name, at) =>
      place(20 + at, ID.clouds, { x: 520 + at * 250, y: 90 + ((at * 131) % 210) }, name),
    ),
    place(30, ID.rocket, { x: 110, y: 200 }, 'rocket'),
    place(40, ID.frame, { x: 20, y: 20 }),
    place(41, ID.bars, { x: 23, y: 23 }, 'bar'),
    ...LIGHTS.map((name, at) => place(50 + at, ID.lights, { x: 250 + at * 18, y: 29 }, name)),
    script(
      Buffer.concat([
        begin(),
        atEachFrame(...steer(), ...scroll(), ...STARS.map(fly), ...CLOUDS.map(drift), ...show()),
      ]),
    ),
  ])
}

function begin(): Actions {
  return Buffer.concat([
    set('speed', 4),
    set('full', 0),
    set('lit', 0),
    set('hurt', 0),
    set('follows', 0),
    set('mouseX', get('_xmouse')),
    set('mouseY', get('_ymouse')),
  ])
}

/** Steers by the arrow keys, or follows the mouse once it moves. */
function steer(): Actions[] {
  const held = (key: number) => call('Key', 'isDown', key)
  const by = (key: number, property: string, step: number) =>
    when(held(key), [
      set('follows', 0),
      setOf('rocket', property, add(getOf('rocket', property), step)),
    ])
  const moved = (name: string, now: string) =>
    or(less(get(name), get(now)), greater(get(name), get(now)))
  const approach = (property: string, to: string) =>
    setOf(
      'rocket',
      property,
      add(getOf('rocket', property), multiply(subtract(get(to), getOf('rocket', property)), 0.16)),
    )
  const keep = (property: string, least: number, most: number) => [
    when(less(getOf('rocket', property), least), [setOf('rocket', property, least)]),
    when(greater(getOf('rocket', property), most), [setOf('rocket', property, most)]),
  ]
  return [
    when(or(moved('mouseX', '_xmouse'), moved('mouseY', '_ymouse')), [set('follows', 1)]),
    set('mouseX', get('_xmouse')),
    set('mouseY', get('_ymouse')),
    by(KEYS.left, '_x', -7),
    by(KEYS.right, '_x', 7),
    by(KEYS.up, '_y', -7),
    by(KEYS.down, '_y', 7),
    when(get('follows'), [approach('_x', '_xmouse'), approach('_y', '_ymouse')]),
    ...keep('_x', 40, WIDTH - 60),
    ...keep('_y', 50, HEIGHT - 40),
  ]
}

function scroll(): Actions[] {
  return [
    ['hills', 3],
    ['nearHills', 1.4],
  ].flatMap(([name, slower]) => [
    setOf(
      name as string,
      '_x',
      subtract(getOf(name as string, '_x'), divide(get('speed'), slower as number)),
    ),
    when(less(getOf(name as string, '_x'), -WIDTH), [
      setOf(name as string, '_x', add(getOf(name as string, '_x'), WIDTH)),
    ]),
  ])
}

/** Moves an object back to a random place beyond the right edge. */
function renew(name: string): Actions[] {
  return [
    setOf(name, '_x', add(WIDTH + 40, random(260))),
    setOf(name, '_y', add(60, random(HEIGHT - 110))),
  ]
}

function fly(name: string): Actions {
  return Buffer.concat([
    setOf(name, '_x', subtract(getOf(name, '_x'), get('speed'))),
    when(call('rocket', 'hitTest', get(name)), [set('full', add(get('full'), 5)), ...renew(name)]),
    when(less(getOf(name, '_x'), -30), renew(name)),
  ])
}

function drift(name: string): Actions {
  return Buffer.concat([
    setOf(name, '_x', subtract(getOf(name, '_x'), multiply(get('speed'), 1.25))),
    when(call('rocket', 'hitTest', get(name)), [
      set('full', subtract(get('full'), 15)),
      set('hurt', 20),
      ...renew(name),
    ]),
    when(less(getOf(name, '_x'), -60), renew(name)),
  ])
}

/** Updates the bar, the lights and the rocket, which is transparent while it is hurt. */
function show(): Actions[] {
  return [
    when(less(get('full'), 0), [set('full', 0)]),
    when(greater(get('full'), 99), [
      set('full', 0),
      when(less(get('lit'), LIGHTS.length), [set('lit', add(get('lit'), 1))]),
      when(less(get('speed'), 11), [set('speed', add(get('speed'), 0.8))]),
    ]),
    setOf('bar', '_xscale', get('full')),
    ...LIGHTS.map((name, at) => setOf(name, '_visible', greater(get('lit'), at))),
    when(greater(get('hurt'), 0), [set('hurt', subtract(get('hurt'), 1))]),
    setOf('rocket', '_alpha', subtract(100, multiply(get('hurt'), 3))),
  ]
}
