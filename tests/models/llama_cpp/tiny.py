"""A GGUF model of random weights that the tests build: 4-bit blocks as in real files, and a SentencePiece vocabulary.

What the embedded model cannot show: its width of 576 holds no 4-bit K blocks, and its vocabulary is of the other kind.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

import gguf
import numpy as np

WIDTH, LAYERS, HEADS = 256, 2, 4
WORDS = ["▁A", "A", "▁B", "B", "▁", "▁question", "▁answer", "C"]


def build(folder: Path) -> Path:
    """Write the model below `folder` and quantise it as Q4_K_M; returns the file."""
    import llama_cpp

    plain, quantised = folder / "plain.gguf", folder / "tiny.Q4_K_M.gguf"
    _write(plain)
    params = llama_cpp.llama_model_quantize_default_params()
    params.ftype = llama_cpp.LLAMA_FTYPE_MOSTLY_Q4_K_M
    params.nthread = 1
    assert llama_cpp.llama_model_quantize(str(plain).encode(), str(quantised).encode(), ctypes.byref(params)) == 0
    return quantised


def _write(file: Path) -> None:
    writer = gguf.GGUFWriter(str(file), "llama")
    writer.add_context_length(2048)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(WIDTH)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    tokens = _add_vocabulary(writer)
    random = np.random.default_rng(7)

    def add(name: str, *shape: int) -> None:
        writer.add_tensor(name, random.normal(0, 0.2, shape).astype(np.float32))

    add("token_embd.weight", tokens, WIDTH)
    add("output.weight", tokens, WIDTH)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    for layer in range(LAYERS):
        for norm in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{norm}.weight", np.ones(WIDTH, np.float32))
        for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"):
            add(f"blk.{layer}.{name}.weight", WIDTH, WIDTH)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add_vocabulary(writer: gguf.GGUFWriter) -> int:
    """The three control tokens, one token a byte, and a few words; returns their number."""
    kind = gguf.TokenType
    names = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *WORDS]
    kinds = [kind.UNKNOWN, kind.CONTROL, kind.CONTROL, *[kind.BYTE] * 256, *[kind.NORMAL] * len(WORDS)]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(names)
    writer.add_token_scores([0.0] * len(names))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    return len(names)
