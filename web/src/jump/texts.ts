import { defineTexts } from '../language/texts.ts'

export const texts = defineTexts({
  title: ['점프', 'Jump'],
  lead: ['설치 없이 바로 즐기는 게임이에요.', 'Play right here, nothing to install.'],
  popular: ['지금 인기 있는 게임', 'Popular now'],
  newest: ['새 게임', 'New games'],
  related: (title: string) => [`‘${title}’ 다음으로 해 볼 만한 게임`, `More like “${title}”`],
  nothing: ['아직 게임이 없어요', 'No games yet'],
  nothingHelp: [
    'HTML5, WebAssembly, 플래시로 만든 게임을 올리면 여기에서 바로 할 수 있어요.',
    'Publish a game made with HTML5, WebAssembly or Flash and people can play it right here.',
  ],
  publishGame: ['게임 올리기', 'Publish a game'],
  notPlayable: ['준비 중', 'Not playable yet'],
  play: ['플레이', 'Play'],
  playGame: (title: string) => [`${title} 플레이`, `Play ${title}`],
  gameOf: (title: string) => [`게임: ${title}`, `Game: ${title}`],
  loading: ['게임을 불러오고 있어요', 'Loading the game'],
  slow: ['게임이 아직 열리지 않았어요', "The game hasn't opened yet"],
  slowHelp: [
    '연결이 느리거나 게임 파일이 클 수 있어요. 조금 더 기다리거나 다시 열어 보세요.',
    'The connection may be slow or the game may be large. Wait a little longer or open it again.',
  ],
  reload: ['처음부터 다시', 'Start over'],
  again: ['다시 열기', 'Open again'],
  fullScreen: ['전체 화면', 'Full screen'],
  leaveFullScreen: ['전체 화면 닫기', 'Exit full screen'],
  noBundle: ['이 게임은 아직 플레이할 수 없어요', "This game isn't playable yet"],
  noBundleHelp: [
    '크리에이터가 게임 파일을 올리면 여기에서 바로 시작돼요.',
    'You can play it here after its creator uploads the game file.',
  ],
  noWasm: ['이 브라우저에서는 플레이할 수 없어요', "This browser can't play this game"],
  noWasmHelp: [
    '이 게임에는 WebAssembly가 필요한데, 꺼져 있거나 지원되지 않아요. 브라우저 설정을 확인하거나 다른 브라우저로 열어 주세요.',
    'The game needs WebAssembly, which is turned off or not supported here. Check your browser settings or try another browser.',
  ],
  keysOutside: ['키보드로 하려면 게임을 눌러 주세요.', 'Click the game to use your keyboard.'],
  keysInside: [
    '키보드로 게임을 조작하고 있어요. 나오려면 Tab 키를 누르세요.',
    'The game has your keyboard. Press Tab to leave.',
  ],
  startHint: ['플레이를 누르면 시작돼요.', 'Press play to start.'],
  turnLandscape: [
    '기기를 가로로 돌리면 더 크게 할 수 있어요.',
    'Rotate your device sideways for a larger view.',
  ],
  turnPortrait: [
    '기기를 세로로 돌리면 더 크게 할 수 있어요.',
    'Rotate your device upright for a larger view.',
  ],
  howTo: ['조작 방법', 'Controls'],
})
