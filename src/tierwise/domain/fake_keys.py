"""Keys that nobody can take for real ones, for the vendors that tests may meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

FAKE_KEY = "tierwise-fake-key-for-tests-only"
"""What each of them holds, so that a fake one is known wherever it turns up."""
FAKE_KEYS: Mapping[str, str] = {
    "OPENAI_API_KEY": f"sk-{FAKE_KEY}",
    "ANTHROPIC_API_KEY": f"sk-ant-{FAKE_KEY}",
    **dict.fromkeys(
        (
            *("GEMINI_API_KEY", "GOOGLE_API_KEY", "MISTRAL_API_KEY", "GROQ_API_KEY"),
            *("CO_API_KEY", "COHERE_API_KEY", "TOGETHER_API_KEY", "FIREWORKS_API_KEY"),
            *("CEREBRAS_API_KEY", "DEEPSEEK_API_KEY", "XAI_API_KEY", "PERPLEXITY_API_KEY"),
            "OPENROUTER_API_KEY",
        ),
        FAKE_KEY,
    ),
}
"""Variables without which a vendor's client cannot be made, and so no module that makes one."""
REPLACED_KEYS: Mapping[str, str] = dict.fromkeys(
    (
        *("AZURE_OPENAI_API_KEY", "AZURE_API_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
        *("HUGGINGFACEHUB_API_TOKEN", "REPLICATE_API_TOKEN", "AI21_API_KEY", "NVIDIA_API_KEY"),
        *("DATABRICKS_TOKEN", "DASHSCOPE_API_KEY", "MOONSHOT_API_KEY", "ZHIPUAI_API_KEY"),
        *("SAMBANOVA_API_KEY", "VOYAGE_API_KEY", "JINA_API_KEY", "ELEVENLABS_API_KEY"),
        *("STABILITY_API_KEY", "DEEPGRAM_API_KEY", "ASSEMBLYAI_API_KEY", "TAVILY_API_KEY"),
        *("SERPAPI_API_KEY", "PINECONE_API_KEY", "LANGSMITH_API_KEY", "LANGCHAIN_API_KEY"),
        *("LANGFUSE_SECRET_KEY", "LANGFUSE_PUBLIC_KEY", "WANDB_API_KEY"),
    ),
    FAKE_KEY,
)
"""Variables that are fake where they are set; code that finds one may behave differently."""
REMOVED_KEYS = (
    *("OPENAI_ADMIN_KEY", "ANTHROPIC_AUTH_TOKEN", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK"),
    # They name what lies in the home folder, and a client that does not find it there fails.
    *("AWS_PROFILE", "AWS_DEFAULT_PROFILE", "GOOGLE_APPLICATION_CREDENTIALS"),
    # Public models are there for nobody in particular, but not for a wrong token.
    *("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"),
)
"""Variables that are taken away: a fake value there does harm."""
