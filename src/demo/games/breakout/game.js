/* Starlight Breakout: a ball, a paddle and a wall, on one canvas. */
'use strict'
{
  const WIDTH = 480
  const HEIGHT = 640
  const COLUMNS = 9
  const ROWS = 6
  const BRICK = { width: 46, height: 18, gap: 5, top: 78 }
  const RADIUS = 7
  const STEP = 1 / 120
  const COLOURS = ['#ff6b9d', '#ff8f6b', '#ffc857', '#8ce99a', '#6ee7f2', '#c492ff']

  const isKorean = navigator.language.startsWith('ko')
  const TEXTS = isKorean
    ? {
        title: '별빛 벽돌깨기',
        begin: '누르거나 스페이스로 시작',
        move: '← → 또는 끌어서 움직이기',
        over: '게임 끝',
        again: '다시 하려면 누르세요',
        score: '점수',
        best: '최고',
        level: '단계',
      }
    : {
        title: 'Starlight Breakout',
        begin: 'Press space, or tap, to begin',
        move: '← → or drag to move',
        over: 'Game over',
        again: 'Press or tap to play again',
        score: 'Score',
        best: 'Best',
        level: 'Level',
      }

  const canvas = document.getElementById('board')
  const screen = canvas.getContext('2d')
  const held = new Set()
  const stars = Array.from({ length: 90 }, () => ({
    x: Math.random() * WIDTH,
    y: Math.random() * HEIGHT,
    size: 0.4 + Math.random() ** 3 * 1.6,
    phase: Math.random() * 7,
  }))
  const paddle = { x: WIDTH / 2, y: HEIGHT - 46, width: 92, height: 12 }
  let ball = null
  let bricks = []
  let sparks = []
  /** 'ready', 'playing' or 'over'. */
  let state = 'ready'
  let score = 0
  let best = readBest()
  let lives = 3
  let level = 1
  let audio

  build()
  rest()
  listen()
  canvas.focus()
  let last = performance.now()
  let owed = 0
  requestAnimationFrame(frame)

  function frame(now) {
    owed += Math.min(0.1, (now - last) / 1000)
    last = now
    while (owed >= STEP) {
      step()
      owed -= STEP
    }
    draw(now / 1000)
    requestAnimationFrame(frame)
  }

  function build() {
    const left = (WIDTH - COLUMNS * (BRICK.width + BRICK.gap) + BRICK.gap) / 2
    bricks = []
    for (let row = 0; row < ROWS; row++) {
      for (let column = 0; column < COLUMNS; column++) {
        // The gaps in the wall depend on the level.
        if (level > 1 && (row * 5 + column * level) % 7 === 0) continue
        bricks.push({
          x: left + column * (BRICK.width + BRICK.gap),
          y: BRICK.top + row * (BRICK.height + BRICK.gap),
          row,
          strength: level > 2 && row === 0 ? 2 : 1,
        })
      }
    }
  }

  /** Puts the ball on the paddle until it is launched. */
  function rest() {
    ball = { x: paddle.x, y: paddle.y - RADIUS - 1, dx: 0, dy: 0 }
    state = 'ready'
  }

  function act() {
    wake()
    if (state === 'ready') {
      const speed = 300 + level * 28
      const angle = (Math.random() - 0.5) * 0.9
      ball.dx = Math.sin(angle) * speed
      ball.dy = -Math.cos(angle) * speed
      state = 'playing'
    } else if (state === 'over') {
      score = 0
      lives = 3
      level = 1
      build()
      rest()
    }
  }

  function step() {
    const way = (held.has('ArrowRight') ? 1 : 0) - (held.has('ArrowLeft') ? 1 : 0)
    moveTo(paddle.x + way * 480 * STEP)
    for (const spark of sparks) {
      spark.x += spark.dx * STEP
      spark.y += spark.dy * STEP
      spark.dy += 400 * STEP
      spark.life -= STEP
    }
    sparks = sparks.filter(({ life }) => life > 0)
    if (state === 'ready') ball.x = paddle.x
    if (state !== 'playing') return
    ball.x += ball.dx * STEP
    ball.y += ball.dy * STEP
    if (ball.x < RADIUS || ball.x > WIDTH - RADIUS) {
      ball.dx = Math.abs(ball.dx) * (ball.x < RADIUS ? 1 : -1)
      beep(330, 0.03)
    }
    if (ball.y < RADIUS) {
      ball.dy = Math.abs(ball.dy)
      beep(330, 0.03)
    }
    meetPaddle()
    meetBricks()
    if (ball.y > HEIGHT + RADIUS) lose()
  }

  function meetPaddle() {
    const aside = ball.x - paddle.x
    const isThere = Math.abs(aside) < paddle.width / 2 + RADIUS
    const isAt = ball.y + RADIUS > paddle.y && ball.y < paddle.y + paddle.height
    if (ball.dy <= 0 || !isThere || !isAt) return
    // The ball's direction depends on where it hits the paddle.
    const speed = Math.min(640, Math.hypot(ball.dx, ball.dy) * 1.015)
    const angle = (aside / (paddle.width / 2 + RADIUS)) * 1.05
    ball.dx = Math.sin(angle) * speed
    ball.dy = -Math.cos(angle) * speed
    beep(220, 0.05)
  }

  function meetBricks() {
    for (const brick of bricks) {
      const x = Math.max(brick.x, Math.min(ball.x, brick.x + BRICK.width))
      const y = Math.max(brick.y, Math.min(ball.y, brick.y + BRICK.height))
      if (Math.hypot(ball.x - x, ball.y - y) > RADIUS) continue
      if (Math.abs(ball.x - x) > Math.abs(ball.y - y)) {
        ball.dx = Math.abs(ball.dx) * Math.sign(ball.x - x)
      } else ball.dy = Math.abs(ball.dy) * (ball.y > y ? 1 : -1)
      hit(brick)
      return
    }
  }

  function hit(brick) {
    brick.strength--
    score += 10 * (ROWS - brick.row)
    beep(440 + (ROWS - brick.row) * 70, 0.07)
    burst(brick)
    if (brick.strength > 0) return
    bricks.splice(bricks.indexOf(brick), 1)
    if (bricks.length > 0) return
    level++
    build()
    rest()
    for (const [at, tone] of [523, 659, 784, 1047].entries()) beep(tone, 0.12, at * 0.09)
  }

  function lose() {
    lives--
    beep(110, 0.3)
    if (lives > 0) {
      rest()
      return
    }
    state = 'over'
    if (score > best) {
      best = score
      keepBest()
    }
  }

  function burst({ x, y, row }) {
    for (let i = 0; i < 12; i++) {
      sparks.push({
        x: x + BRICK.width * Math.random(),
        y: y + BRICK.height * Math.random(),
        dx: (Math.random() - 0.5) * 220,
        dy: (Math.random() - 0.7) * 220,
        life: 0.3 + Math.random() * 0.4,
        colour: COLOURS[row % COLOURS.length],
      })
    }
  }

  function draw(seconds) {
    const sky = screen.createLinearGradient(0, 0, 0, HEIGHT)
    sky.addColorStop(0, '#070b1f')
    sky.addColorStop(0.7, '#1a1f4d')
    sky.addColorStop(1, '#4b2a63')
    screen.fillStyle = sky
    screen.fillRect(0, 0, WIDTH, HEIGHT)
    for (const { x, y, size, phase } of stars) {
      screen.globalAlpha = 0.45 + 0.4 * Math.sin(seconds * 1.5 + phase)
      disc(x, y, size, '#ffffff')
    }
    screen.globalAlpha = 1
    for (const brick of bricks) drawBrick(brick)
    for (const { x, y, life, colour } of sparks) {
      screen.globalAlpha = Math.min(1, life * 3)
      disc(x, y, 2.2, colour)
    }
    screen.globalAlpha = 1
    box(paddle.x - paddle.width / 2, paddle.y, paddle.width, paddle.height, '#e9f1ff')
    if (state !== 'over') {
      screen.shadowColor = '#fff3c4'
      screen.shadowBlur = 16
      disc(ball.x, ball.y, RADIUS, '#fff3c4')
      screen.shadowBlur = 0
    }
    drawTexts()
  }

  function drawBrick({ x, y, row, strength }) {
    box(x, y, BRICK.width, BRICK.height, COLOURS[row % COLOURS.length])
    screen.globalAlpha = 0.25
    box(x + 3, y + 3, BRICK.width - 6, 4, '#ffffff')
    screen.globalAlpha = 1
    if (strength < 2) return
    screen.strokeStyle = '#ffffff'
    screen.lineWidth = 2
    screen.strokeRect(x + 1, y + 1, BRICK.width - 2, BRICK.height - 2)
  }

  function drawTexts() {
    text(`${TEXTS.score} ${score}`, 16, 34, 18, 'left')
    text(`${TEXTS.level} ${level}`, WIDTH / 2, 34, 18, 'center')
    text(`${TEXTS.best} ${best}`, WIDTH - 16, 34, 18, 'right')
    for (let i = 0; i < lives; i++) disc(22 + i * 20, 56, 5, '#ff6b9d')
    if (state === 'playing') return
    text(state === 'over' ? TEXTS.over : TEXTS.title, WIDTH / 2, HEIGHT * 0.55, 34, 'center')
    text(state === 'over' ? TEXTS.again : TEXTS.begin, WIDTH / 2, HEIGHT * 0.55 + 40, 18, 'center')
    if (state === 'ready') text(TEXTS.move, WIDTH / 2, HEIGHT * 0.55 + 68, 15, 'center')
  }

  function text(words, x, y, size, align) {
    screen.font = `600 ${size}px system-ui, sans-serif`
    screen.textAlign = align
    screen.fillStyle = '#f4f1ff'
    screen.fillText(words, x, y)
  }

  function disc(x, y, radius, colour) {
    screen.fillStyle = colour
    screen.beginPath()
    screen.arc(x, y, radius, 0, Math.PI * 2)
    screen.fill()
  }

  function box(x, y, width, height, colour) {
    screen.fillStyle = colour
    screen.beginPath()
    screen.roundRect(x, y, width, height, 5)
    screen.fill()
  }

  function moveTo(x) {
    paddle.x = Math.max(paddle.width / 2, Math.min(WIDTH - paddle.width / 2, x))
  }

  function listen() {
    addEventListener('keydown', (event) => {
      if (event.key === ' ' || event.key === 'Enter') act()
      else if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
      held.add(event.key)
      event.preventDefault()
    })
    addEventListener('keyup', ({ key }) => held.delete(key))
    addEventListener('blur', () => held.clear())
    const follow = ({ clientX }) => {
      const bounds = canvas.getBoundingClientRect()
      const scale = Math.min(bounds.width / WIDTH, bounds.height / HEIGHT)
      moveTo((clientX - bounds.left - (bounds.width - WIDTH * scale) / 2) / scale)
    }
    canvas.addEventListener('pointermove', follow)
    canvas.addEventListener('pointerdown', (event) => {
      canvas.focus()
      follow(event)
      act()
    })
  }

  /** Starts audio. Browsers allow it only after an interaction. */
  function wake() {
    audio ??= new AudioContext()
    if (audio.state === 'suspended') void audio.resume()
  }

  function beep(frequency, seconds, later = 0) {
    if (audio?.state !== 'running') return
    const start = audio.currentTime + later
    const tone = audio.createOscillator()
    const gain = audio.createGain()
    tone.type = 'triangle'
    tone.frequency.value = frequency
    gain.gain.setValueAtTime(0.12, start)
    gain.gain.exponentialRampToValueAtTime(0.001, start + seconds)
    tone.connect(gain).connect(audio.destination)
    tone.start(start)
    tone.stop(start + seconds)
  }

  function readBest() {
    try {
      return Number(localStorage.getItem('best')) || 0
    } catch {
      return 0
    }
  }

  function keepBest() {
    try {
      localStorage.setItem('best', String(best))
    } catch {
      // Storage is blocked, so the best score lasts only until the page closes.
    }
  }
}
