import { defineTexts } from '../language/texts.ts'

export const fileTexts = defineTexts({
  dropTitle: ['파일을 여기에 끌어다 놓으세요', 'Drop files here'],
  chooseTitle: ['이 기기에 있는 파일을 골라 주세요', 'Choose files from this device'],
  dropHint: [
    '영상(MP4·WebM·MOV), 이미지(PNG·JPEG·GIF·WebP·AVIF), 오디오(MP3·OGG·WAV·FLAC), 게임(ZIP·WASM·SWF)',
    'Videos (MP4, WebM, MOV), images (PNG, JPEG, GIF, WebP, AVIF), audio (MP3, OGG, WAV, FLAC), games (ZIP, WASM, SWF)',
  ],
  choose: ['파일 고르기', 'Choose files'],
  addMore: ['파일 추가', 'Add files'],
  waiting: ['앞 파일이 끝나기를 기다리고 있어요', 'waiting for earlier files'],
  starting: (size: string) => [`${size} · 업로드를 시작하고 있어요`, `${size} · starting`],
  retrying: ['연결이 끊겨서 곧 다시 시도해요', 'connection lost, retrying soon'],
  speed: (size: string) => [`초당 ${size}`, `${size}/s`],
  left: (time: string) => [`${time} 남음`, `${time} left`],
  sending: (share: string, sent: string, total: string) => [
    `${share} · ${total} 중 ${sent}`,
    `${share} · ${sent} of ${total}`,
  ],
  checking: ['서버가 파일을 확인하고 있어요', 'The server is checking the file'],
  done: ['올렸어요', 'uploaded'],
  stopped: ['멈췄어요', 'stopped'],
  unreadable: [
    '파일을 읽지 못했어요. 파일이 손상됐을 수 있어요.',
    "We couldn't read this file. It may be damaged.",
  ],
  unfinished: [
    '다 올리기 전에 화면이 닫혔어요. 이 파일을 삭제하고 다시 추가해 주세요.',
    'The page closed before this file was uploaded. Remove it and add it again.',
  ],
  gone: [
    '올린 지 하루가 지나 서버에서 삭제됐어요. 이 파일을 삭제하고 다시 추가해 주세요.',
    "The server deleted this file because it wasn't used in time. Remove it and add it again.",
  ],
  sendingOf: (name: string) => [`${name} 올리는 중`, `Uploading ${name}`],
  doneOf: (done: number, total: number) => [
    `파일 ${total}개 중 ${done}개를 올렸어요`,
    `${done} of ${total} uploaded`,
  ],
  earlier: (name: string) => [`${name} 앞으로 옮기기`, `Move ${name} up`],
  later: (name: string) => [`${name} 뒤로 옮기기`, `Move ${name} down`],
  retry: (name: string) => [`${name} 다시 올리기`, `Upload ${name} again`],
  stop: (name: string) => [`${name} 올리기 취소`, `Stop uploading ${name}`],
  remove: (name: string) => [`${name} 삭제`, `Remove ${name}`],
  refusal: {
    empty: ['빈 파일이에요.', 'This file is empty.'],
    heic: [
      'HEIC 이미지는 지원하지 않아요. JPEG나 PNG로 바꿔 주세요.',
      "HEIC images aren't supported. Convert it to JPEG or PNG.",
    ],
    svg: [
      'SVG는 지원하지 않아요. PNG나 WebP로 내보내 주세요.',
      "SVG isn't supported. Export it as PNG or WebP.",
    ],
    film: [
      '이 영상 형식은 지원하지 않아요. MP4, WebM, MOV로 바꿔 주세요.',
      "This video format isn't supported. Convert it to MP4, WebM or MOV.",
    ],
    archive: [
      '이 압축 형식은 지원하지 않아요. 게임은 ZIP으로 묶어 주세요.',
      "This archive format isn't supported. Pack games as ZIP.",
    ],
    page: [
      '웹 페이지는 그대로 올릴 수 없어요. 게임이라면 필요한 파일까지 ZIP으로 묶어 주세요.',
      "You can't upload a single web page. For a game, pack it with all its files as ZIP.",
    ],
    other: ['지원하지 않는 형식이에요.', "This file type isn't supported."],
  },
  secondBundle: [
    '게임 파일은 하나만 올릴 수 있어요. 하나를 삭제해 주세요.',
    'A game can have only one game file. Remove one of them.',
  ],
  notInGame: [
    '게임에는 이미지만 함께 올릴 수 있어요. 이 파일은 삭제해 주세요.',
    'Besides the game file, a game can have only images. Remove this file.',
  ],
  bundleInArticle: [
    '글에는 게임 파일을 넣을 수 없어요. 이 파일은 삭제해 주세요.',
    "An article can't have a game file. Remove it.",
  ],
})
